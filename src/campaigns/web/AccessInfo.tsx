import type { Campaign } from '../contract.ts'
import { LinkLine } from './LinkLine.tsx'
import { accessLabels, accessTexts, groupWarning } from './words.ts'

/** How testers get in, for testers who have not joined yet and for the admin who approves the campaign. */
export const AccessInfo = ({
  campaign: { accessMode, groupLink, ndaVersion },
  whole = false,
}: {
  campaign: Campaign
  whole?: boolean
}) => (
  <div className="grid gap-1">
    <p>
      <span className="font-medium">{accessLabels[accessMode]}.</span> {accessTexts[accessMode]}
    </p>
    {groupLink === null && accessMode === 'GOOGLE_GROUP' && ndaVersion !== null && (
      <p className="text-muted-foreground">You will see the group once you have joined and accepted the NDA.</p>
    )}
    {groupLink !== null && (
      <>
        <LinkLine link={groupLink} whole={whole} />
        <p className="text-muted-foreground">{groupWarning}</p>
      </>
    )}
  </div>
)

/** The features that testers are asked to try; renders nothing without any. */
export const Features = ({ of: features }: { of: readonly string[] }) => (
  <ul className="grid list-disc gap-1 pl-5 marker:text-muted-foreground">
    {features.map(feature => (
      <li key={feature} className="wrap-anywhere">
        {feature}
      </li>
    ))}
  </ul>
)
