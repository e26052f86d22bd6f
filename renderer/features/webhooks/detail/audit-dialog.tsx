import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { nameOfWebhook } from '../../../../server/contract/webhook-name.ts'
import { deliveryProfiles } from '../../../../server/contract/words/webhook-words.ts'
import { isOpenAudit, useAudits, useStartAudit } from '../../../api/audits.ts'
import { useEventCatalog } from '../../../api/events.ts'
import { AuditView } from '../../../shared/audit-view.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SelectField } from '../../../ui/select.tsx'
import {
  auditFieldPaths,
  type AuditForm,
  auditRequestOf,
  emptyAuditForm,
  receiverPlans,
} from '../model/audit-form.ts'
import { words } from '../words.ts'

interface AuditDialogProps {
  webhook: WebhookItem
  onClose: () => void
}

/** Starts an audit of the receiver of a webhook, and shows the last one. */
export function AuditDialog({ webhook, onClose }: AuditDialogProps) {
  const { id } = webhook
  const latest = useAudits().data?.items.find(({ webhookId }) => webhookId === id)
  const isRunning = latest !== undefined && isOpenAudit(latest)
  const start = useStartAudit()
  const fields = useForm<AuditForm>(() => emptyAuditForm, start.error)
  return (
    <FormDialog
      wide
      title={words.auditReceiver}
      lead={nameOfWebhook(webhook)}
      action="Start audit"
      icon="play"
      busy={start.isPending || isRunning}
      isDone={latest !== undefined}
      onSubmit={() => start.mutate(auditRequestOf(id, fields.form))}
      onClose={onClose}
    >
      {/* Hidden, not gone: the next audit often has the same fields. */}
      <div hidden={isRunning}>
        <div className="flex flex-col gap-3">
          <div className="grid gap-3 sm:grid-cols-3">
            <CommonFields {...fields} />
            {fields.form.plan === 'storm' && <StormFields {...fields} />}
          </div>
          <TextField
            label="Effects"
            hint={`URL that returns how much your receiver has done, as a number or text. Leave it empty to count what ${webhook.actsAs ?? webhook.owner.username} changes on the Hub.`}
            placeholder="http://localhost:8000/count"
            {...fields.field('effects')}
          />
          <FormError error={start.error} beside={auditFieldPaths} />
        </div>
      </div>
      {latest && <AuditView audit={latest} />}
    </FormDialog>
  )
}

type FieldsProps = ReturnType<typeof useForm<AuditForm>>

function CommonFields({ form, field }: Pick<FieldsProps, 'form' | 'field'>) {
  const events = useEventCatalog().data?.items.map(({ scope, action }) => `${scope}.${action}`)
  return (
    <>
      <SelectField
        label="Plan"
        hint={words.auditPlanHints[form.plan]}
        {...field('plan')}
        options={receiverPlans.map((value) => ({ value, label: words.auditPlans[value] }))}
      />
      <SelectField
        label="Event"
        hint="Payloads are about this event."
        {...field('event')}
        options={(events ?? [form.event]).map((value) => ({ value, label: value }))}
      />
      <SelectField
        label="Delivery profile"
        hint="standard-webhooks signs, and adds modules about signatures."
        {...field('profile')}
        options={[
          { value: '', label: 'As the sandbox' },
          ...deliveryProfiles.map((value) => ({ value, label: value })),
        ]}
      />
    </>
  )
}

function StormFields({ field }: Pick<FieldsProps, 'field'>) {
  return (
    <>
      <TextField
        label="Orders"
        hint="From 1 to 100."
        type="number"
        min={1}
        max={100}
        placeholder="5"
        {...field('orders', 'storm.orders')}
      />
      <TextField
        label="Events in each order"
        hint="From 2 to 1000."
        type="number"
        min={2}
        max={1000}
        placeholder="100"
        {...field('events', 'storm.events')}
      />
      <TextField
        label="Seed"
        hint="Replays one order; a failed storm names its seed."
        {...field('seed', 'storm.seed')}
      />
    </>
  )
}
