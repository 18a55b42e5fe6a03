import { useQuery } from '@tanstack/react-query'
import { KeyRound, LifeBuoy, Smartphone } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { Badge } from '../../../kit/web/ui/Badge.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { Query } from '../../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../../kit/web/ui/States.tsx'
import { RelativeTime } from '../../../kit/web/ui/Values.tsx'
import type { PasskeyInfo, SecondFactors } from '../../secondFactorContract.ts'
import { factorApi } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { NewCodesDialog, PasskeyDialog, RemoveDialog, RenamePasskeyDialog, TotpDialog } from '../secondFactor/parts.ts'

type Opened =
  | { kind: 'ADD_PASSKEY' | 'ADD_TOTP' | 'REMOVE_TOTP' | 'NEW_CODES' }
  | { kind: 'RENAME' | 'REMOVE_PASSKEY'; passkey: PasskeyInfo }

/** Passkeys, the authenticator app, and the recovery codes. */
export const SecurityCard = () => {
  const factors = useQuery({
    queryKey: accountKeys.secondFactors,
    queryFn: ({ signal }) => factorApi.secondFactors({ signal }),
  })
  const [opened, setOpened] = useState<Opened | null>(null)
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          Security
          {factors.data && (
            <Badge tone={factors.data.inForce ? 'green' : 'neutral'}>
              {factors.data.inForce ? 'Second factor on' : 'Second factor off'}
            </Badge>
          )}
        </span>
      }
      description="With a second factor, your password alone is not enough to sign in or to move money."
    >
      <Query
        of={factors}
        loading={<SkeletonList count={3} className="h-10" />}
        errorTitle="Failed to load your second factors"
      >
        {loaded => (
          <>
            <ul className="-my-2 divide-y">
              <Passkeys of={loaded} onOpen={setOpened} />
              <App of={loaded} onOpen={setOpened} />
              {loaded.inForce && <Codes left={loaded.recoveryCodesLeft} onOpen={setOpened} />}
            </ul>
            {opened && (
              <Suspense>
                <OpenedDialog opened={opened} inForce={loaded.inForce} onClose={() => setOpened(null)} />
              </Suspense>
            )}
          </>
        )}
      </Query>
    </Card>
  )
}

type PartProps = { of: SecondFactors; onOpen: (opened: Opened) => void }

const Line = ({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode
  title: ReactNode
  text: ReactNode
  children: ReactNode
}) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted-foreground">
    {icon}
    <div className="min-w-0 flex-1 basis-48">
      <p className="font-medium wrap-anywhere">{title}</p>
      <p className="text-muted-foreground">{text}</p>
    </div>
    <div className="flex gap-2">{children}</div>
  </li>
)

const Passkeys = ({ of: { passkeys }, onOpen }: PartProps) => (
  <>
    {passkeys.map(passkey => (
      <Line
        key={passkey.id}
        icon={<KeyRound aria-hidden />}
        title={passkey.name}
        text={
          <>
            Passkey,{' '}
            {passkey.lastUsedAt ? (
              <>
                last used <RelativeTime at={passkey.lastUsedAt} />
              </>
            ) : (
              <>
                added <RelativeTime at={passkey.createdAt} />
              </>
            )}
          </>
        }
      >
        <Button variant="ghost" size="sm" onClick={() => onOpen({ kind: 'RENAME', passkey })}>
          Rename<span className="sr-only"> {passkey.name}</span>
        </Button>
        <Button variant="outline" size="sm" onClick={() => onOpen({ kind: 'REMOVE_PASSKEY', passkey })}>
          Remove<span className="sr-only"> {passkey.name}</span>
        </Button>
      </Line>
    ))}
    <Line
      icon={<KeyRound aria-hidden />}
      title={passkeys.length === 0 ? 'Passkeys' : 'Another passkey'}
      text="Uses your fingerprint, face, device PIN or a security key."
    >
      <Button variant="outline" size="sm" onClick={() => onOpen({ kind: 'ADD_PASSKEY' })}>
        Add a passkey
      </Button>
    </Line>
  </>
)

const App = ({ of: { totp }, onOpen }: PartProps) => (
  <Line
    icon={<Smartphone aria-hidden />}
    title="Authenticator app"
    text={
      totp ? (
        <>
          Set up <RelativeTime at={totp.since} />
        </>
      ) : (
        'A six-digit code from your phone.'
      )
    }
  >
    {totp ? (
      <Button variant="outline" size="sm" onClick={() => onOpen({ kind: 'REMOVE_TOTP' })}>
        Remove<span className="sr-only"> authenticator app</span>
      </Button>
    ) : (
      <Button variant="outline" size="sm" onClick={() => onOpen({ kind: 'ADD_TOTP' })}>
        Set up<span className="sr-only"> authenticator app</span>
      </Button>
    )}
  </Line>
)

const few = 3

const Codes = ({ left, onOpen }: { left: number; onOpen: PartProps['onOpen'] }) => (
  <Line
    icon={<LifeBuoy aria-hidden />}
    title={
      <span className="flex flex-wrap items-center gap-2">
        Recovery codes {left <= few && <Badge tone="yellow">Running low</Badge>}
      </span>
    }
    text={`${left} of 10 left, in case you lose your phone.`}
  >
    <Button variant="outline" size="sm" onClick={() => onOpen({ kind: 'NEW_CODES' })}>
      New codes
    </Button>
  </Line>
)

type DialogProps = { opened: Opened; inForce: boolean; onClose: () => void }

const OpenedDialog = ({ opened, inForce, onClose }: DialogProps) => {
  switch (opened.kind) {
    case 'ADD_PASSKEY':
      return <PasskeyDialog inForce={inForce} onClose={onClose} />
    case 'ADD_TOTP':
      return <TotpDialog inForce={inForce} onClose={onClose} />
    case 'NEW_CODES':
      return <NewCodesDialog onClose={onClose} />
    case 'RENAME':
      return <RenamePasskeyDialog passkey={opened.passkey} onClose={onClose} />
    case 'REMOVE_TOTP':
      return (
        <RemoveDialog
          title="Remove the authenticator app?"
          onClose={onClose}
          onRemove={() => factorApi.removeTotp()}
          done="Authenticator app removed"
        />
      )
    case 'REMOVE_PASSKEY':
      return (
        <RemoveDialog
          title={`Remove the passkey “${opened.passkey.name}”?`}
          onClose={onClose}
          onRemove={() => factorApi.removePasskey({ params: { id: opened.passkey.id } })}
          done="Passkey removed"
        />
      )
  }
}
