import type { AddFaultRequest } from '../../../../server/contract/control-faults.ts'
import { grantTypes } from '../../../../server/contract/words/oauth-words.ts'
import { useApps } from '../../../api/apps.ts'
import { useWebhookName, useWebhooks } from '../../../api/webhooks.ts'
import { TextField } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { concerning, withMatch } from '../model/rule-draft.ts'
import { words } from '../words.ts'

export interface RuleFieldsProps {
  rule: AddFaultRequest
  onRule: (rule: AddFaultRequest) => void
  /** First issue of the member at this path. */
  issue: (path: string) => string | undefined
}

const any = { value: '', label: 'Any' }

/** Fields for the requests or deliveries that a rule matches. */
export function MatchFields({ rule, onRule, issue }: RuleFieldsProps) {
  const ofDeliveries = rule.match.webhookId !== undefined
  return (
    <fieldset aria-label={words.appliesTo} className="flex flex-col gap-3">
      <Segments
        label={words.appliesTo}
        value={ofDeliveries ? 'deliveries' : 'requests'}
        onChange={(kind) => onRule(concerning(rule, kind))}
        options={[
          { value: 'requests', label: 'Requests' },
          { value: 'deliveries', label: words.deliveries },
        ]}
      />
      {ofDeliveries ? (
        <WebhookField rule={rule} onRule={onRule} issue={issue} />
      ) : (
        <RequestFields rule={rule} onRule={onRule} issue={issue} />
      )}
    </fieldset>
  )
}

function WebhookField({ rule, onRule }: RuleFieldsProps) {
  const webhooks = useWebhooks().data?.items ?? []
  const nameOf = useWebhookName()
  const named = webhooks.map(({ id }) => ({ value: id, label: nameOf(id) }))
  return (
    <SelectField
      label="Webhook"
      className="w-full"
      value={rule.match.webhookId ?? '*'}
      onChange={(webhookId) => onRule(withMatch(rule, 'webhookId', webhookId))}
      options={[{ value: '*', label: 'Any webhook' }, ...named]}
    />
  )
}

function RequestFields({ rule, onRule, issue }: RuleFieldsProps) {
  const { route = '', method = '', clientId = '', grantType = '' } = rule.match
  const apps = useApps().data?.items ?? []
  return (
    <div className="grid gap-3 sm:grid-cols-4">
      <TextField
        label="Path"
        hint="* matches anything"
        error={issue('match.route')}
        placeholder="/oauth/token"
        value={route}
        onChange={(value) => onRule(withMatch(rule, 'route', value))}
      />
      <SelectField
        label="Method"
        value={method}
        onChange={(next) => onRule(withMatch(rule, 'method', next))}
        options={[
          any,
          ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({
            value,
            label: value,
          })),
        ]}
      />
      <SelectField
        label="App"
        value={clientId}
        onChange={(next) => onRule(withMatch(rule, 'clientId', next))}
        options={[any, ...apps.map((app) => ({ value: app.clientId, label: app.name }))]}
      />
      <SelectField
        label="Grant"
        value={grantType}
        onChange={(next) => onRule(withMatch(rule, 'grantType', next))}
        options={[
          any,
          ...grantTypes.map((value) => ({ value, label: value.split(':').at(-1) ?? value })),
        ]}
      />
    </div>
  )
}
