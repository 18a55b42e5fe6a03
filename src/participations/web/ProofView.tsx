import { ExternalLink } from 'lucide-react'
import { AttachmentList } from '../../attachments/web/face.tsx'
import { isWebLink } from '../../kit/links.ts'
import { ScrollBox } from '../../kit/web/ui/ScrollBox.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../contract.ts'

/** A proof as plain text, never HTML, with links that send no referrer. */
export const ProofView = ({
  of: { text, links, attachments, submittedAt },
}: {
  of: NonNullable<CampaignTester['proof']>
}) => (
  <div className="grid gap-3">
    {text && (
      <ScrollBox label="Text of the proof" className="max-h-96">
        <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
      </ScrollBox>
    )}
    {links.length > 0 && (
      <ul className="grid gap-1">
        {links.map((link, index) => (
          <li key={index} className="min-w-0">
            {isWebLink(link) ? (
              <a
                href={link}
                target="_blank"
                rel="noopener noreferrer nofollow"
                className="inline-flex max-w-full items-start gap-1.5 text-link underline-offset-4 hover:underline"
              >
                <ExternalLink aria-hidden className="mt-1 size-3.5 shrink-0" />
                <span className="min-w-0 wrap-anywhere">{link}</span>
                <span className="sr-only">(opens in a new tab)</span>
              </a>
            ) : (
              <span className="wrap-anywhere">{link}</span>
            )}
          </li>
        ))}
      </ul>
    )}
    {attachments.length > 0 && <AttachmentList of={attachments} label="of the proof" />}
    <p className="text-xs text-muted-foreground">
      Submitted <DateTime at={submittedAt} withTime />
    </p>
  </div>
)
