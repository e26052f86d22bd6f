import { useState } from 'react'
import type { AddFaultRequest } from '../../../server/contract/control-faults.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../components/dialog.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Panel } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { plural } from '../../lib/format.ts'
import { prettyJson } from '../../lib/pretty-json.ts'
import { describeFault, describeMatch } from '../../lib/fault-text.ts'
import { useAddFault, useFaults, useRemoveFault } from './fault-requests.ts'

const presets: readonly { title: string; rule: AddFaultRequest }[] = [
  {
    title: 'Token endpoint slow',
    rule: { match: { route: '/oauth/token' }, delay: '5s', times: 3 },
  },
  {
    title: 'Refresh refused once',
    rule: {
      match: { route: '/oauth/token', grantType: 'refresh_token' },
      oauthError: 'invalid_grant',
      times: 1,
    },
  },
  { title: 'User info down', rule: { match: { route: '/oauth/userinfo' }, status: 503, times: 5 } },
  {
    title: 'Unknown signing key',
    rule: { match: { route: '/oauth/token' }, idToken: { kid: 'unknown' }, times: 1 },
  },
  {
    title: 'Connection reset',
    rule: { match: { route: '/oauth/token' }, break: 'reset', times: 1 },
  },
  {
    title: 'Deliveries fail',
    rule: { match: { webhookId: '*' }, break: 'reset', times: 3 },
  },
]

export function FaultsPanel() {
  const faults = useFaults()
  const remove = useRemoveFault()
  const [adding, setAdding] = useState(false)
  return (
    <Panel
      title="Faults"
      lead="Answers that are late, wrong or missing, for the next matches."
      actions={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          Add a fault
        </Button>
      }
    >
      <QueryView query={faults} what="faults">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-muted">Everything answers as it should.</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {items.map((fault) => (
                <li key={fault.id} className="flex items-center gap-3 py-2">
                  <div className="min-w-0 flex-1">
                    <p className="font-mono text-xs break-words">{describeMatch(fault.match)}</p>
                    <p className="text-sm">
                      {describeFault(fault)}{' '}
                      <span className="text-xs text-muted">{plural(fault.hits, 'hit')}</span>
                    </p>
                  </div>
                  <IconButton
                    icon="trash"
                    size="small"
                    label={`Remove the fault of ${describeMatch(fault.match)}`}
                    onClick={() => remove.mutate(fault.id)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {adding && <AddFault onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function AddFault({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState(() => JSON.stringify(presets[0]?.rule ?? {}, null, 2))
  const add = useAddFault()
  const { error } = prettyJson(text)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add a fault"
      lead="A rule as the control API takes it; start from one of these."
    >
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(JSON.parse(text) as AddFaultRequest, { onSuccess: onClose })
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-3">
            <div className="flex flex-wrap gap-1.5">
              {presets.map(({ title, rule }) => (
                <Button
                  key={title}
                  size="small"
                  onClick={() => setText(JSON.stringify(rule, null, 2))}
                >
                  {title}
                </Button>
              ))}
            </div>
            <Field label="Rule" error={error}>
              {(control) => (
                <TextArea
                  {...control}
                  rows={12}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
            </Field>
            <FormError error={add.error} />
          </div>
        </DialogBody>
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            type="submit"
            busy={add.isPending}
            disabled={error !== undefined || !text.trim()}
          >
            Add it
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
