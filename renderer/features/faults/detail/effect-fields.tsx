import { ciDrillNames, ciDrills } from '../../../../server/contract/words/ci-words.ts'
import { faultBreaks } from '../../../../server/contract/words/sandbox-words.ts'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import type { RuleFieldsProps } from './fault-fields.tsx'
import {
  claimText,
  numberOf,
  offeredClaims,
  offeredParameters,
  unseenMembers,
  withClaim,
  withEffect,
  withIdToken,
  withRedirect,
} from '../model/rule-draft.ts'
import { words } from '../words.ts'

const breakNames = {
  reset: 'Drop the connection',
  truncate: 'Truncate the body',
  html: words.proxyErrorPage,
} as const

type TextMember = 'delay' | 'status' | 'oauthError' | 'skip' | 'times'

const members: readonly { key: TextMember; label: string; hint: string; ofRequests?: true }[] = [
  { key: 'delay', label: 'Delay', hint: 'e.g. 5s' },
  { key: 'status', label: 'Status', hint: 'e.g. 503' },
  { key: 'oauthError', label: 'OAuth error', hint: 'e.g. invalid_grant', ofRequests: true },
  { key: 'skip', label: 'Skip first', hint: 'matches' },
  { key: 'times', label: 'Apply to', hint: 'matches; all if empty' },
]

const numbers = new Set<TextMember>(['status', 'skip', 'times'])

/** Fields for the effect of a rule and its number of matches. */
export function EffectFields({ rule, onRule, issue }: RuleFieldsProps) {
  const ofDeliveries = rule.match.webhookId !== undefined
  const unseen = unseenMembers(rule)
  const change = (key: TextMember, text: string) =>
    onRule(withEffect(rule, key, numbers.has(key) ? (numberOf(text) ?? '') : text))
  return (
    <fieldset aria-label="Effects" className="flex flex-col gap-3">
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
        {!ofDeliveries && (
          <SelectField
            label="ID token of a CI job"
            error={issue('ciDrill')}
            value={rule.ciDrill ?? ''}
            onChange={(next) => onRule(withEffect(rule, 'ciDrill', next === '' ? undefined : next))}
            options={[
              { value: '', label: words.unchanged },
              ...ciDrills.map((value) => ({ value, label: ciDrillNames[value] })),
            ]}
          />
        )}
        <SelectField
          label="Failure"
          error={issue('break')}
          value={rule.break ?? ''}
          onChange={(next) => onRule(withEffect(rule, 'break', next === '' ? undefined : next))}
          options={[
            { value: '', label: 'None' },
            ...faultBreaks.map((value) => ({ value, label: breakNames[value] })),
          ]}
        />
      </div>
      {!ofDeliveries && (
        <>
          <IdTokenFields rule={rule} onRule={onRule} issue={issue} />
          <RedirectFields rule={rule} onRule={onRule} issue={issue} />
        </>
      )}
      {unseen.length > 0 && (
        <p className="text-xs text-muted">It also sets {unseen.join(', ')}: see its JSON.</p>
      )}
    </fieldset>
  )
}

function RedirectFields({ rule, onRule, issue }: RuleFieldsProps) {
  return (
    <fieldset aria-label={words.redirect} className="flex flex-col gap-2">
      <p className="eyebrow">{words.redirect}</p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {offeredParameters.map((name) => (
          <TextField
            key={name}
            label={name}
            placeholder={words.unchanged}
            error={issue(`redirect.set.${name}`)}
            value={rule.redirect?.set?.[name] ?? ''}
            onChange={(value) => onRule(withRedirect(rule, name, value))}
          />
        ))}
      </div>
    </fieldset>
  )
}

function IdTokenFields({ rule, onRule }: RuleFieldsProps) {
  return (
    <fieldset aria-label={words.idToken} className="flex flex-col gap-2">
      <p className="eyebrow">{words.idToken}</p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {offeredClaims.map((claim) => (
          <TextField
            key={claim}
            label={claim}
            placeholder={words.unchanged}
            value={claimText(rule, claim)}
            onChange={(value) => onRule(withClaim(rule, claim, value))}
          />
        ))}
        <TextField
          label="kid"
          placeholder={words.unchanged}
          value={rule.idToken?.kid ?? ''}
          onChange={(value) => onRule(withIdToken(rule, 'kid', value))}
        />
      </div>
      <Checkbox
        checked={rule.idToken?.breakSignature === true}
        onChange={(wrong) => onRule(withIdToken(rule, 'breakSignature', wrong ? true : undefined))}
      >
        Invalid signature
      </Checkbox>
    </fieldset>
  )
}
