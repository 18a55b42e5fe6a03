/** The parts of a statement's line, in the table and on a phone. */
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import type { Role } from '../../kit/roles.ts'
import { paths } from '../../kit/paths.ts'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Transaction } from '../contract.ts'
import { receiptTitle } from '../paperWords.ts'
import { shownCents, signOf, typeWord } from './transactionWords.ts'

export const SignedAmount = ({ of: transaction }: { of: Transaction }) => {
  const sign = signOf(transaction)
  return (
    <Money
      cents={shownCents(transaction)}
      {...(sign && { sign })}
      className={clsx('font-medium', sign === null && 'text-muted-foreground line-through')}
    />
  )
}

const hasParts = ({ paymentCents, status }: Transaction) => paymentCents !== null && status !== 'FAILED'

/** A payment is one line; pressing it shows which part is for the testers and which for the platform. */
export const usePaymentParts = (transaction: Transaction) => {
  const [open, setOpen] = useState(false)
  const id = useId()
  if (!hasParts(transaction)) return { button: null, parts: null }
  return {
    button: (
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        aria-label={`Breakdown of the payment for ${transaction.campaign?.title ?? ''}`}
        onClick={() => setOpen(!open)}
        className="-mt-0.5 -mb-2.5 inline-flex min-h-11 shrink-0 items-center gap-1 rounded-sm px-2 text-xs font-normal text-muted-foreground hover:text-foreground lg:my-0 lg:min-h-6 lg:px-0"
      >
        Breakdown
        <ChevronDown aria-hidden className={clsx('size-3.5 transition-transform', open && 'rotate-180')} />
      </button>
    ),
    parts: (
      <dl id={id} hidden={!open} className="mt-1 max-w-64 text-xs font-normal text-muted-foreground">
        <Part label="Testers’ pay" cents={transaction.amountCents} />
        <Part label="Platform fee" cents={shownCents(transaction) - transaction.amountCents} />
      </dl>
    ),
  }
}

const Part = ({ label, cents }: { label: string; cents: number }) => (
  <div className="flex justify-between gap-4">
    <dt>{label}</dt>
    <dd>
      <Money cents={cents} />
    </dd>
  </div>
)

/** In the table, below what the payment was for. */
export const PaymentParts = ({ of: transaction }: { of: Transaction }) => {
  const { button, parts } = usePaymentParts(transaction)
  return (
    <>
      {button && <div className="mt-1">{button}</div>}
      {parts}
    </>
  )
}

type Papered = Pick<Transaction, 'status' | 'paymentId' | 'refundId' | 'withdrawalId'>

/** The paper of a line; null if it has none. */
export const paperOf = ({ status, paymentId, refundId, withdrawalId }: Papered) => {
  if (paymentId !== null) {
    const title = receiptTitle(status)
    return { name: title.toLowerCase(), title, to: paths.receipt(paymentId) }
  }
  if (refundId !== null) return { name: 'credit note', title: 'Credit note', to: paths.creditNote(refundId) }
  if (withdrawalId === null) return null
  return { name: 'payout advice', title: 'Payout advice', to: paths.payoutAdvice(withdrawalId) }
}

/** Without repeating the paper's own name, as for a declined payment. */
const ofWhat = ({ description, campaign }: Transaction, { title }: { title: string }) =>
  [description !== title && description, campaign?.title].filter(Boolean).join(', ')

/** A link to the receipt, credit note or payout advice; empty if there is none. */
export const PaperLink = ({ of: transaction }: { of: Transaction }) => {
  const paper = paperOf(transaction)
  if (paper === null) return null
  return (
    <Link
      to={paper.to}
      aria-label={`View ${paper.name}: ${ofWhat(transaction, paper)}`}
      className="-mt-0.5 -mr-2 -mb-2.5 inline-flex min-h-11 shrink-0 items-center px-2 whitespace-nowrap text-link underline-offset-4 hover:underline lg:m-0 lg:min-h-6 lg:px-0"
    >
      {paper.title}
    </Link>
  )
}

/** The description, if it says more than the type. */
export const moreWords = (transaction: Transaction, role: Role): string => {
  const { description, paymentCents } = transaction
  return description === typeWord(transaction, role) || paymentCents !== null ? '' : description
}

/** The campaign, and the description if it says more than the type. */
export const WhatFor = ({ of: transaction, role }: { of: Transaction; role: Role }) => {
  const { campaign } = transaction
  const more = moreWords(transaction, role)
  if (!campaign) return more
  return (
    <>
      <Link to={paths.campaign(campaign.id)} className="text-link underline decoration-1 underline-offset-4">
        {campaign.title}
      </Link>
      {more && ` · ${more}`}
    </>
  )
}
