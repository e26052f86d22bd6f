import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { deliveryProfiles } from '../../../../server/contract/words/webhooks.ts'
import { isOpenAudit, useAudits, useStartAudit } from '../../../api/audits.ts'
import { useEventCatalog } from '../../../api/events.ts'
import { AuditView } from '../../../shared/audit-view.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
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
  const { id, name, target } = webhook
  const latest = useAudits().data?.items.find(({ webhookId }) => webhookId === id)
  const isRunning = latest !== undefined && isOpenAudit(latest)
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={words.auditReceiver}
      lead={name ?? target}
    >
      <DialogBody>
        <div className="flex flex-col gap-4 pt-1">
          {/* Hidden, not gone: the next audit often has the same fields. */}
          <div hidden={isRunning}>
            <StartForm webhook={webhook} />
          </div>
          {latest && <AuditView audit={latest} />}
        </div>
      </DialogBody>
    </Dialog>
  )
}

type FieldsProps = ReturnType<typeof useForm<AuditForm>>

function StartForm({ webhook }: Pick<AuditDialogProps, 'webhook'>) {
  const start = useStartAudit()
  const fields = useForm<AuditForm>(() => emptyAuditForm, start.error)
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate(auditRequestOf(webhook.id, fields.form))
      }}
    >
      <div className="grid gap-3 sm:grid-cols-3">
        <CommonFields {...fields} />
        {fields.form.plan === 'storm' && <StormFields {...fields} />}
      </div>
      <TextField
        label={words.auditEffects}
        hint={words.auditEffectsHint(webhook.actsAs ?? webhook.owner.username)}
        placeholder="http://localhost:8000/count"
        {...fields.field('effects')}
      />
      <FormError error={start.error} beside={auditFieldPaths} />
      <div>
        <Button type="submit" look="primary" icon="play" busy={start.isPending}>
          {words.startAudit}
        </Button>
      </div>
    </form>
  )
}

function CommonFields({ form, field }: Pick<FieldsProps, 'form' | 'field'>) {
  const events = useEventCatalog().data?.items.map(({ scope, action }) => `${scope}.${action}`)
  return (
    <>
      <SelectField
        label={words.auditPlan}
        hint={words.auditPlanHints[form.plan]}
        {...field('plan')}
        options={receiverPlans.map((value) => ({ value, label: words.auditPlans[value] }))}
      />
      <SelectField
        label={words.auditEvent}
        hint={words.auditEventHint}
        {...field('event')}
        options={(events ?? [form.event]).map((value) => ({ value, label: value }))}
      />
      <SelectField
        label={words.auditProfile}
        hint={words.auditProfileHint}
        {...field('profile')}
        options={[
          { value: '', label: words.profileOfSandbox },
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
        label={words.stormOrders}
        hint={words.stormOrdersHint}
        type="number"
        min={1}
        max={100}
        placeholder="5"
        {...field('orders', 'storm.orders')}
      />
      <TextField
        label={words.stormEvents}
        hint={words.stormEventsHint}
        type="number"
        min={2}
        max={1000}
        placeholder="100"
        {...field('events', 'storm.events')}
      />
      <TextField
        label={words.stormSeed}
        hint={words.stormSeedHint}
        {...field('seed', 'storm.seed')}
      />
    </>
  )
}
