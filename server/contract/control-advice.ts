import { Type, type Static } from 'typebox'
import { AppRef, Time } from './control.ts'
import { OneOf } from './one-of.ts'
import { adviceCertainties, adviceLevels } from './words/advice.ts'

const Source = Type.Object({
  name: Type.String({ description: 'Document' }),
  section: Type.String({ description: 'Section' }),
  url: Type.String({ description: 'URL of the section' }),
})

const about = {
  level: OneOf(adviceLevels, 'Severity, in the words of SARIF'),
  certainty: OneOf(
    adviceCertainties,
    '`certain`: the record proves it; `likely`: an honest app may do the same',
  ),
  title: Type.String({ description: 'Mistake and its consequence' }),
  fix: Type.String({ description: 'Change to make' }),
  sources: Type.Array(Source, { description: 'Reasons' }),
}

const RuleId = Type.String({ description: 'Area and name, such as `token/refresh-race`' })

export const AdviceRule = Type.Object({ id: RuleId, ...about }, { description: 'A check' })
export type AdviceRule = Static<typeof AdviceRule>

export const AdviceRuleList = Type.Object({ items: Type.Array(AdviceRule) })
export type AdviceRuleList = Static<typeof AdviceRuleList>

export const AdviceFinding = Type.Object(
  {
    id: Type.String({ description: 'The same in every run for the same mistake' }),
    rule: RuleId,
    ...about,
    app: Type.Optional(AppRef),
    webhook: Type.Optional(
      Type.Object(
        {
          id: Type.String({ description: '24 hex digits' }),
          name: Type.Optional(Type.String({ description: 'Name' })),
          url: Type.Optional(Type.String({ description: 'URL; secrets are masked' })),
        },
        { description: 'A webhook' },
      ),
    ),
    count: Type.Integer({ minimum: 1, description: 'Occurrences in the record' }),
    firstAt: Time('First occurrence, on the sandbox clock'),
    lastAt: Time('Last occurrence'),
    evidence: Type.Array(
      Type.Object({
        kind: OneOf(['request', 'attempt'], 'Type of the entry'),
        id: Type.String({ description: 'Request, or `DELIVERY/NUMBER` of an attempt' }),
        note: Type.String({ description: 'Role of the entry in the mistake' }),
        line: Type.Optional(
          Type.String({ description: 'Method, path and status; secrets are masked' }),
        ),
      }),
      { description: 'Entries that prove it: of the first and the two newest occurrences' },
    ),
  },
  { description: 'A mistake of an app or a webhook' },
)
export type AdviceFinding = Static<typeof AdviceFinding>

export const AdviceQuery = Type.Object({
  clientId: Type.Optional(Type.String({ description: 'Only of this app' })),
  webhookId: Type.Optional(Type.String({ description: 'Only of this webhook' })),
  level: Type.Optional(OneOf(adviceLevels, 'Only of this level or a worse one')),
  rule: Type.Optional(Type.String({ description: 'Only of this rule' })),
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
  },
  { description: 'Result of the checks' },
)
export type Advice = Static<typeof Advice>
