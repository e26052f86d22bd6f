import { useLocation } from 'wouter'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useUpdateWebhook } from '../../../api/webhooks.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { Switch } from '../../../ui/switch.tsx'
import type { WebhookActions } from '../model/webhook-actions.ts'
import { words } from '../words.ts'

interface ControlProps {
  webhook: WebhookItem
  name: string
  actions: WebhookActions
}

export function SendTestButton({ webhook, actions }: Omit<ControlProps, 'name'>) {
  return (
    <Button
      size="small"
      icon="trigger"
      busy={actions.isBusy(webhook.id)}
      onClick={() => actions.sendTest(webhook)}
    >
      {words.sendTest}
    </Button>
  )
}

export function EnabledSwitch({ webhook: { id, status }, name }: Omit<ControlProps, 'actions'>) {
  const update = useUpdateWebhook()
  return (
    <Switch
      checked={status === 'enabled'}
      busy={update.isPending}
      onChange={(checked) =>
        update.mutate({ id, change: { status: checked ? 'enabled' : 'disabled' } })
      }
    >
      <span className="sr-only">{name} enabled</span>
    </Switch>
  )
}

export function WebhookMenu({ webhook, name, actions }: ControlProps) {
  const [, navigate] = useLocation()
  const { id, url, held } = webhook
  return (
    <Menu
      trigger={<IconButton icon="more" size="small" look="plain" label={`More for ${name}`} />}
      items={[
        { label: 'Edit…', icon: 'edit', onSelect: () => actions.edit(webhook) },
        {
          label: 'Activity',
          icon: 'delivery',
          onSelect: () => navigate(`/webhooks/${id}/activity`),
        },
        {
          label: held ? 'Resume' : 'Pause',
          icon: held ? 'play' : 'hold',
          onSelect: () => actions.hold(webhook, !held),
        },
        ...waitItems(webhook, actions),
        ...(url === undefined
          ? []
          : [
              {
                label: words.auditReceiver,
                icon: 'check' as const,
                onSelect: () => actions.audit(webhook),
              },
            ]),
        {
          label: 'Recover failed deliveries',
          icon: 'retry',
          onSelect: () => actions.recover(webhook),
        },
        { label: 'Delete…', icon: 'trash', danger: true, onSelect: () => actions.remove(webhook) },
      ]}
    />
  )
}

/** Starts or ends the wait for a receiver. */
function waitItems(webhook: WebhookItem, { awaitReceiver }: WebhookActions): MenuItem[] {
  const { awaitedSince, url, deliveries } = webhook
  const { failing, failed } = deliveries
  if (awaitedSince !== undefined) {
    return [
      {
        label: 'Stop waiting for the receiver',
        icon: 'cross',
        onSelect: () => awaitReceiver(webhook, false),
      },
    ]
  }
  if (url === undefined || failing + failed === 0) return []
  return [
    { label: 'Replay when back', icon: 'clock', onSelect: () => awaitReceiver(webhook, true) },
  ]
}
