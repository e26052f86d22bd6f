import { Type, type Static } from 'typebox'
import { AppRef, Time } from './control.ts'
import { OneOf } from './one-of.ts'
import { adviceCertainties, adviceLevels, reportFormats } from './words/advice-words.ts'
import { text } from './plain-fields.ts'

const Source = Type.Object({
  name: text('Document'),
  section: text('Section'),
  url: text('URL of the section'),
})

const about = {
  level: OneOf(adviceLevels, 'Severity, in the words of SARIF'),
  certainty: OneOf(
    adviceCertainties,
    '`certain`: the record proves it; `likely`: an honest app may do the same',
  ),
  title: text('Mistake and its consequence'),
  fix: text('Change to make'),
  sources: Type.Array(Source, { description: 'Reasons' }),
}

const RuleId = text('Area and name, such as `token/refresh-race`')

export const AdviceRule = Type.Object(
  {
    id: RuleId,
    ...about,
    exceptions: Type.Array(Type.String(), {
      description: 'Cases that look like the mistake and are not reported',
    }),
  },
  { description: 'A check' },
)
export type AdviceRule = Static<typeof AdviceRule>

export const AdviceRuleList = Type.Object({ items: Type.Array(AdviceRule) })
export type AdviceRuleList = Static<typeof AdviceRuleList>

export const AdviceEvidence = Type.Object({
  kind: OneOf(['request', 'attempt'], 'Type of the entry'),
  id: text('Request, or `DELIVERY/NUMBER` of an attempt'),
  note: text('Role of the entry in the mistake'),
  parameter: Type.Optional(text('Parameter or header that is wrong or missing')),
  line: Type.Optional(text('Method, path and status; secrets are masked')),
  flowId: Type.Optional(text('Its sign-in')),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: text('Parameter or header'),
        value: Type.Optional(text('Value, masked if secret; absent if it is missing')),
        marked: Type.Optional(Type.Literal(true, { description: 'Whether it is the mistake' })),
      }),
      { description: 'Parameters of the request, at most 20' },
    ),
  ),
})

export type AdviceEvidence = Static<typeof AdviceEvidence>

export const AdviceFinding = Type.Object(
  {
    id: text('The same in every run for the same mistake'),
    rule: RuleId,
    ...about,
    app: Type.Optional(AppRef),
    webhook: Type.Optional(
      Type.Object(
        {
          id: text('24 hex digits'),
          name: Type.Optional(text('Name')),
          url: Type.Optional(text('URL; secrets are masked')),
        },
        { description: 'A webhook' },
      ),
    ),
    count: Type.Integer({
      minimum: 1,
      description: 'Occurrences since the start or the last reset; with `run`, all',
    }),
    firstAt: Time('First occurrence, on the sandbox clock'),
    lastAt: Time('Last occurrence'),
    evidence: Type.Array(AdviceEvidence, {
      description: 'Entries that prove it: of the first and the two newest occurrences',
    }),
    ignored: Type.Optional(
      Type.Object(
        {
          id: text('The ignore'),
          reason: text('Why the developer accepts the finding'),
        },
        { description: 'Present if the finding is ignored' },
      ),
    ),
  },
  { description: 'A mistake of an app or a webhook' },
)
export type AdviceFinding = Static<typeof AdviceFinding>

const ignoreParts = {
  rule: RuleId,
  app: Type.Optional(text('Client id or name; default: all apps')),
  webhook: Type.Optional(text('Id, name or URL; default: all webhooks')),
  reason: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: '\\S',
    description: 'Why the finding is accepted',
  }),
}

export const IgnoreAdviceRequest = Type.Object(ignoreParts, { additionalProperties: false })
export type IgnoreAdviceRequest = Static<typeof IgnoreAdviceRequest>

export const AdviceIgnoreItem = Type.Object(
  {
    id: text('The same for the same rule, app and webhook'),
    ...ignoreParts,
    source: OneOf(['fixtures', 'control'], 'Where it was set'),
    findings: Type.Integer({ minimum: 0, description: 'Findings that it matches' }),
  },
  { description: 'Findings that the developer accepts' },
)
export type AdviceIgnoreItem = Static<typeof AdviceIgnoreItem>

export const AdvicePause = Type.Object(
  { id: text('Pause') },
  { description: 'A time whose requests and deliveries are not judged' },
)
export type AdvicePause = Static<typeof AdvicePause>

export const AdvicePauseQuery = Type.Object({
  follow: Type.Optional(
    Type.Literal('1', {
      description: 'Responds with an NDJSON stream; the pause ends when the caller disconnects',
    }),
  ),
})
export type AdvicePauseQuery = Static<typeof AdvicePauseQuery>

const ofRun = Type.Optional(
  Type.Literal('1', {
    description: 'Of the whole run: also from before resets and restores, and of forks',
  }),
)

export const AdviceReportQuery = Type.Object({
  format: OneOf(reportFormats, 'Format'),
  clientId: Type.Optional(text('Only of this app')),
  run: ofRun,
})
export type AdviceReportQuery = Static<typeof AdviceReportQuery>

export const AdviceQuery = Type.Object({
  clientId: Type.Optional(text('Only of this app')),
  webhookId: Type.Optional(text('Only of this webhook')),
  level: Type.Optional(OneOf(adviceLevels, 'Only of this level or a worse one')),
  rule: Type.Optional(text('Only of this rule')),
  since: Type.Optional(Time('Only what has occurred at or after this time, on the sandbox clock')),
  cursor: Type.Optional(text('`cursor` of an earlier response: only what has occurred after it')),
  run: ofRun,
})
export type AdviceQuery = Static<typeof AdviceQuery>

export const Advice = Type.Object(
  {
    items: Type.Array(AdviceFinding, { description: 'Findings, the worst first' }),
    rules: Type.Array(
      Type.Object({
        id: RuleId,
        judged: Type.Integer({
          minimum: 0,
          description:
            'Number of requests, sign-ins or attempts that the rule could judge. With 0 it has not passed',
        }),
        findings: Type.Integer({ minimum: 0, description: 'Its findings in `items`' }),
      }),
      { description: 'All rules' },
    ),
    ignores: Type.Array(AdviceIgnoreItem, { description: 'All ignores' }),
    cursor: text('Pass it as `cursor` to read what occurs after this response'),
    omitted: Type.Integer({
      minimum: 0,
      description: 'Findings that are left out, because there are more than 500: the mildest',
    }),
    paused: Type.Integer({
      minimum: 0,
      description: 'Kept requests and attempts that are not judged, because they came in a pause',
    }),
  },
  { description: 'Result of the checks' },
)
export type Advice = Static<typeof Advice>
