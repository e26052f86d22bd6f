import { useState } from 'react'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { isOpenAudit, useAudits, useStartAudit } from '../../../api/audits.ts'
import { AuditView } from '../../../shared/audit-view.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { words } from '../words.ts'

const plans = ['core', 'full'] as const

/** Starts an audit of the receiver of a webhook, and shows the last one. */
export function AuditDialog({ webhook, onClose }: { webhook: WebhookItem; onClose: () => void }) {
  const { id, name, target } = webhook
  const [plan, setPlan] = useState<(typeof plans)[number]>('core')
  const start = useStartAudit()
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
      <div className="flex flex-col gap-4 overflow-y-auto px-5 pb-5">
        {!isRunning && (
          <div className="flex flex-wrap items-end gap-3">
            <Field label={words.auditPlan} hint={words.auditPlanHint}>
              {(control) => (
                <Select
                  {...control}
                  value={plan}
                  onChange={setPlan}
                  options={plans.map((value) => ({ value, label: words.auditPlans[value] }))}
                />
              )}
            </Field>
            <Button
              look="primary"
              icon="play"
              busy={start.isPending}
              onClick={() => start.mutate({ kind: 'receiver', webhookId: id, plan })}
            >
              {words.startAudit}
            </Button>
          </div>
        )}
        <FormError error={start.error} />
        {latest && <AuditView audit={latest} />}
      </div>
    </Dialog>
  )
}
