import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useId } from 'react'
import { paths } from '../../kit/paths.ts'
import type { Role } from '../../kit/roles.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { useUser } from '../../kit/web/user.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import type { NotificationChoice } from '../contract.ts'
import { aboutTopics, deliveriesOf, type Delivery, type Topic } from '../topics.ts'
import { choicesQuery, useChoose } from './calls.ts'
import { ChoicesHint } from './ChoicesHint.tsx'
import { ChoicesShell } from './ChoicesShell.tsx'
import { choicesHead } from './heads.ts'

const words: Record<Delivery, string> = {
  AT_ONCE: 'By email immediately',
  DAILY: 'In a daily digest',
  WEEKLY: 'In a weekly digest',
  IN_APP: 'Only in the app',
  NEVER: 'Never',
}
const optionsFor = (topic: Topic) => deliveriesOf(topic).map(value => ({ value, label: words[value] }))

/** In the order of the settings; a group that has none of the role's topics is left out. */
const groups: { title: string; topics: readonly Topic[] }[] = [
  {
    title: 'Needs your attention',
    topics: ['PROOFS', 'APPEALS', 'TESTERS_AT_RISK', 'TESTER_LIST', 'APPEALS_TO_DECIDE', 'CHECK_INS', 'DEADLINES'],
  },
  { title: 'Reviews and pay', topics: ['REVIEWS', 'APPEAL_OUTCOMES'] },
  {
    title: 'Campaigns and tests',
    topics: ['CAMPAIGNS', 'SEATS_OF_CAMPAIGNS', 'OPT_IN_DECISIONS', 'SEATS', 'TEST_CHANGES', 'OPT_INS'],
  },
  { title: 'Bugs', topics: ['BUG_REPORTS', 'RETESTS', 'BUG_THREADS'] },
  { title: 'From Fieldtest', topics: ['MESSAGES'] },
]

type Locked = { title: string; hint: string }

const security: Locked = {
  title: 'Security and your account',
  hint: 'New sign-ins, your password, your email address, your second factor: you need to know about these right away.',
}

const money: Record<Role, Locked> = {
  TESTER: {
    title: 'Withdrawals and payment methods',
    hint: 'So that no one moves your money without your knowledge.',
  },
  DEVELOPER: {
    title: 'Disputes and requests to pay',
    hint: 'A payment that a bank disputes, a campaign that has to be paid for again, a refund that reaches you another way.',
  },
  ADMIN: {
    title: 'Payouts, refunds and disputes',
    hint: 'What waits for an admin’s decision about money.',
  },
}

export const ChoicesPage = () => {
  const choices = useQuery(choicesQuery)
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader {...choicesHead} back={<BackLink to={paths.notifications}>Notifications</BackLink>} />
      <Query of={choices} loading={<ChoicesShell />} errorTitle="Failed to load your choices">
        {loaded => <Groups choices={loaded.choices} />}
      </Query>
    </div>
  )
}

const Groups = ({ choices }: { choices: NotificationChoice[] }) => {
  const { role } = useUser()
  const choose = useChoose()
  const set = (topic: Topic, delivery: Delivery) =>
    choose.mutate(choices.map(choice => (choice.topic === topic ? { topic, delivery } : choice)))
  return (
    <div className="grid gap-5">
      {choose.error && <Alert tone="red">{messageOf(choose.error)}</Alert>}
      <ChoicesHint saved={choose.isSuccess} />
      {groups.map(({ title, topics }) => {
        const shown = topics.flatMap(topic => choices.find(choice => choice.topic === topic) ?? [])
        return (
          shown.length > 0 && (
            <Card key={title} title={title} flush>
              <ul className="divide-y">
                {shown.map(({ topic, delivery }) => (
                  <Row key={topic} topic={topic} delivery={delivery} onChoose={chosen => set(topic, chosen)} />
                ))}
              </ul>
            </Card>
          )
        )
      })}
      <Card title="Always by email" flush>
        <ul className="divide-y">
          {[security, money[role]].map(({ title, hint }) => (
            <li key={title} className="flex items-center justify-between gap-4 px-5 py-3">
              <div className="min-w-0">
                <p className="font-medium">{title}</p>
                <p className="text-muted-foreground">{hint}</p>
              </div>
              <span className="flex shrink-0 items-center gap-1.5 text-muted-foreground">
                <Lock aria-hidden className="size-4" /> Always on
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}

type RowProps = { topic: Topic; delivery: Delivery; onChoose: (delivery: Delivery) => void }

const Row = ({ topic, delivery, onChoose }: RowProps) => {
  const id = useId()
  const { title, hint } = aboutTopics[topic]
  return (
    <li className="grid items-center gap-x-4 gap-y-2 px-5 py-3 sm:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {title}
        </label>
        <p id={`${id}-hint`} className="text-muted-foreground">
          {hint}
        </p>
      </div>
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        options={optionsFor(topic)}
        value={delivery}
        onValue={value => onChoose(value as Delivery)}
      />
    </li>
  )
}
