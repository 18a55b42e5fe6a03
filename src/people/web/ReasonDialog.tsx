import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import type { peopleApi } from '../contract.ts'

export type UserDialogProps = {
  user: { id: string; name: string }
  open: boolean
  onOpenChange: (open: boolean) => void
}

type Props = Pick<UserDialogProps, 'open' | 'onOpenChange'> & {
  schema: typeof peopleApi.ban.body
  title: string
  description?: string
  hint: string
  submitLabel: string
  submitVariant?: 'destructive'
  errorFallback: string
  deed: UseMutationResult<unknown, Error, string>
  children?: ReactNode
}

/** Suspend and restore ask for the same: a reason, which the user reads and the audit log keeps. */
export const ReasonDialog = ({ schema, open, onOpenChange, title, description, deed, children, ...words }: Props) => {
  const form = useSchemaForm(schema, { reason: '' })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description} locked={deed.isPending}>
      <Form
        form={form}
        onSubmit={({ reason }) => deed.mutate(reason)}
        loading={deed.isPending}
        submitError={deed.error}
        submitLabel={words.submitLabel}
        submitVariant={words.submitVariant ?? 'primary'}
        errorFallback={words.errorFallback}
        actions={
          <Button variant="outline" disabled={deed.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
        }
      >
        {children}
        <Field of={form} name="reason" label="Reason" hint={words.hint}>
          {control => <Textarea rows={3} maxLength={2000} {...control} />}
        </Field>
      </Form>
    </Dialog>
  )
}
