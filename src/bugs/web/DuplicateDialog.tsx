import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDebounce } from 'use-debounce'
import { Field } from '../../kit/web/ui/Field.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { RadioCards } from '../../kit/web/ui/Choice.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Bug } from '../contract.ts'
import { api, refreshBugs } from './calls.ts'
import { bugKeys } from './keys.ts'
import { stateOf } from './looks.ts'

const schema = async () => (await import('../inputs.ts')).BugChange

/** Without a search, the bugs with a similar title. Duplicates are left out, since they cannot be originals. */
const useChoices = (bug: Bug, search: string) =>
  useQuery({
    queryKey: bugKeys.choices(bug.id, search || bug.title),
    queryFn: async ({ signal }) => {
      const params = { id: bug.campaign.id }
      if (search === '') return api.similar({ params, query: { title: bug.title, originalsFor: bug.id }, signal })
      return (await api.list({ params, query: { search, originalsFor: bug.id, limit: 10 }, signal })).items
    },
    placeholderData: previous => previous,
  })

export const DuplicateDialog = ({ bug, onClose }: { bug: Bug; onClose: () => void }) => {
  const form = useSchemaForm(schema, { status: 'DUPLICATE', duplicateOf: '', note: '' })
  const [typed, setTyped] = useState('')
  const [search] = useDebounce(typed.trim(), 250)
  const choices = useChoices(bug, search)
  const chosen = form.watch('duplicateOf')
  const isShown = choices.data?.some(({ id }) => id === chosen)
  // Clears the choice if the list no longer shows it.
  useEffect(() => {
    if (!isShown) form.setValue('duplicateOf', '')
  }, [isShown, form])
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`#${bug.number} is a duplicate`}
      description={`We will tell ${bug.alias} which bug it duplicates${bug.canTestAgain ? ', and ask for a retest once that is fixed' : ''}.`}
      onSubmit={async body => {
        await api.change({ params: { id: bug.id }, body })
        notify.success('Marked as a duplicate')
        await refreshBugs()
      }}
      submitLabel="Mark as duplicate"
    >
      <FieldFrame label="Search the bugs of this campaign">
        {wiring => (
          <Input
            {...wiring}
            type="search"
            placeholder="Title or #number"
            maxLength={100}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={event => {
              // Enter would submit the form, and the search starts without it.
              if (event.key === 'Enter') event.preventDefault()
            }}
          />
        )}
      </FieldFrame>
      <Field of={form} name="duplicateOf" label="Duplicate of" group>
        {control => (
          <Query
            of={choices}
            loading={<Skeleton className="h-24" />}
            errorTitle="Failed to load bugs"
            empty={
              <p role="status" className="text-muted-foreground">
                {search === '' ? 'No bug has a similar title. Search for it above.' : 'No bug found.'}
              </p>
            }
          >
            {found => (
              <RadioCards
                {...control}
                value={control.value ?? ''}
                className="max-h-72 overflow-y-auto p-0.5"
                options={found.map(each => ({
                  value: each.id,
                  label: <span className="wrap-anywhere">{`#${each.number} ${each.title}`}</span>,
                  hint: stateOf(each),
                }))}
              />
            )}
          </Query>
        )}
      </Field>
      <Field of={form} name="note" label="Note for the tester" aside="Optional">
        {control => <Textarea {...control} value={control.value ?? ''} rows={2} />}
      </Field>
    </FormDialog>
  )
}
