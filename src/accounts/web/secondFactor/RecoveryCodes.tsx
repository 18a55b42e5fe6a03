import { Download } from 'lucide-react'
import { downloadText } from '../../../kit/web/download.ts'
import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { CopyButton } from '../../../kit/web/ui/Values.tsx'

/** Shown once, right after the codes were generated. */
export const RecoveryCodes = ({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) => {
  const text = `${codes.join('\n')}\n`
  return (
    <div className="grid gap-4">
      <p>
        If you lose your phone or your passkey, sign in with one of these codes. Each works once. Keep them somewhere
        safe: they are not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md border bg-background px-4 py-3 font-mono"
      >
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="-ml-3 flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy codes" />
        <Button variant="ghost" size="sm" onClick={() => downloadText('fieldtest-recovery-codes.txt', text)}>
          <Download aria-hidden /> Download
        </Button>
      </div>
      <Alert tone="yellow">Anyone who has your password and one of these codes can sign in as you.</Alert>
      <Button className="w-full" onClick={onDone}>
        I have saved them
      </Button>
    </div>
  )
}
