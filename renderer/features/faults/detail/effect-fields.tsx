import { faultBreaks } from '../../../../server/contract/words/sandbox.ts'
import { Field, TextField } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import type { RuleFieldsProps } from './fault-fields.tsx'
import {
  claimText,
  numberOf,
  offeredClaims,
  unseenMembers,
  withClaim,
  withEffect,
  withIdToken,
} from '../model/rule-draft.ts'

const breakNames = {
  reset: 'Cut the connection',
  truncate: 'Cut the body in half',
  html: 'Answer a proxy’s page',
} as const

type TextMember = 'delay' | 'status' | 'oauthError' | 'skip' | 'times'

const members: readonly { key: TextMember; label: string; hint: string; ofRequests?: true }[] = [
  { key: 'delay', label: 'Wait', hint: 'such as 5s' },
  { key: 'status', label: 'Status', hint: 'such as 503' },
  { key: 'oauthError', label: 'OAuth error', hint: 'such as invalid_grant', ofRequests: true },
  { key: 'skip', label: 'Let through first', hint: 'matches' },
  { key: 'times', label: 'Then for', hint: 'matches; empty = all' },
]

const numbers = new Set<TextMember>(['status', 'skip', 'times'])

/** What a rule does to an answer, and how often. */
export function EffectFields({ rule, onRule, issue }: RuleFieldsProps) {
  const ofDeliveries = rule.match.webhookId !== undefined
  const unseen = unseenMembers(rule)
  const change = (key: TextMember, text: string) =>
    onRule(withEffect(rule, key, numbers.has(key) ? (numberOf(text) ?? '') : text))
  return (
    <fieldset aria-label="Does" className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {members
          .filter(({ ofRequests }) => ofRequests !== true || !ofDeliveries)
          .map(({ key, label, hint }) => (
            <TextField
              key={key}
              label={label}
              hint={hint}
              error={issue(key)}
              {...(numbers.has(key) && { inputMode: 'numeric' })}
              value={String(rule[key] ?? '')}
              onChange={(value) => change(key, value)}
            />
          ))}
        <Field label="Break" error={issue('break')}>
          {(control) => (
            <Select
              {...control}
              value={rule.break ?? ''}
              onChange={(next) => onRule(withEffect(rule, 'break', next === '' ? undefined : next))}
              options={[
                { value: '', label: 'Nothing' },
                ...faultBreaks.map((value) => ({ value, label: breakNames[value] })),
              ]}
            />
          )}
        </Field>
      </div>
      {!ofDeliveries && <IdTokenFields rule={rule} onRule={onRule} issue={issue} />}
      {unseen.length > 0 && (
        <p className="text-xs text-muted">It also has {unseen.join(', ')}: see its JSON.</p>
      )}
    </fieldset>
  )
}

function IdTokenFields({ rule, onRule }: RuleFieldsProps) {
  return (
    <fieldset aria-label="ID token" className="flex flex-col gap-2">
      <p className="eyebrow">ID token</p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {offeredClaims.map((claim) => (
          <TextField
            key={claim}
            label={claim}
            placeholder="as it is"
            value={claimText(rule, claim)}
            onChange={(value) => onRule(withClaim(rule, claim, value))}
          />
        ))}
        <TextField
          label="kid"
          placeholder="as it is"
          value={rule.idToken?.kid ?? ''}
          onChange={(value) => onRule(withIdToken(rule, 'kid', value))}
        />
      </div>
      <Checkbox
        checked={rule.idToken?.breakSignature === true}
        onChange={(wrong) => onRule(withIdToken(rule, 'breakSignature', wrong ? true : undefined))}
      >
        A signature that does not verify
      </Checkbox>
    </fieldset>
  )
}
