import { Type, type Static } from 'typebox'
import { AdviceRule } from './control-advice.ts'
import { ListOf, Time } from './control.ts'
import { OneOf } from './one-of.ts'
import { adviceLevels, reportFormats } from './words/advice-words.ts'
import {
  auditDrivers,
  auditFlows,
  auditKinds,
  auditOutcomes,
  auditPlans,
  auditStates,
  auditSteps,
} from './words/audit-words.ts'
import { deliveryProfiles } from './words/webhook-words.ts'
import { flag, integer, text } from './plain-fields.ts'

const ModuleId = text('Family and name, such as `secret/prefix`')
const AuditId = text('Audit')

const about = {
  title: text('Mistake that it looks for'),
  level: OneOf(adviceLevels, 'Severity of a failure, in the words of SARIF'),
  expected: text('Behaviour of a correct program'),
  fix: text('Change to make if it failed'),
  sources: AdviceRule.properties.sources,
}

export const AuditModuleItem = Type.Object(
  {
    id: ModuleId,
    kind: OneOf(auditKinds, 'Program that it judges'),
    plans: Type.Array(OneOf(auditPlans, 'Plan'), { description: 'Plans that run it' }),
    sends: text('What it sends or changes'),
    ...about,
    needs: Type.Optional(text('What it cannot judge without, such as `effects`')),
  },
  { description: 'A test of an audit' },
)
export type AuditModuleItem = Static<typeof AuditModuleItem>

export const AuditModuleList = ListOf(AuditModuleItem)
export type AuditModuleList = Static<typeof AuditModuleList>

export const AuditVerdict = Type.Object(
  {
    module: ModuleId,
    outcome: OneOf(auditOutcomes, 'Outcome'),
    ...about,
    observed: text('Behaviour of the program'),
    evidence: Type.Array(
      Type.Object({
        id: Type.Optional(text('Request, sign-in, or delivery that shows an attempt')),
        note: text('What it shows; secrets are masked'),
      }),
      { description: 'Requests that prove it' },
    ),
    tookMs: Type.Integer({ minimum: 0, description: 'Duration in milliseconds' }),
  },
  { description: 'Verdict of a module' },
)
export type AuditVerdict = Static<typeof AuditVerdict>

const ModuleIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200, description }))

export const StartAuditRequest = Type.Object(
  {
    kind: OneOf(auditKinds, 'Program to judge'),
    plan: Type.Optional(OneOf(auditPlans, 'Modules to run; default: `core`')),
    only: ModuleIds('Only these modules, or families such as `secret`'),
    skip: ModuleIds('Without these modules or families'),
    clientId: Type.Optional(Type.String({ maxLength: 2048, description: 'App to judge' })),
    driver: Type.Optional(
      OneOf(
        auditDrivers,
        'Way to sign in to the app: a browser without JavaScript in the sandbox (`start`), a person by hand, or a program that does each step and continues the audit; default: `browser` with `start`, else `person`',
      ),
    ),
    flow: Type.Optional(OneOf(auditFlows, 'Kind of sign-in; default: `sign-in`, in a browser')),
    start: Type.Optional(
      Type.String({ maxLength: 2048, description: 'URL by which the app begins a sign-in' }),
    ),
    user: Type.Optional(text('User who signs in; default: the first one')),
    signedIn: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'URL of the app that responds with 2xx to signed-in users only',
      }),
    ),
    signedInText: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Text in the response of `signedIn` that only signed-in users see',
      }),
    ),
    use: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'URL by which the app calls the Hub for its user',
      }),
    ),
    canUse: Type.Optional(flag('Whether the program or person can also use the app')),
    canProbe: Type.Optional(flag('Whether the program also tells if the user is signed in')),
    canRestart: Type.Optional(
      flag(
        'Whether the caller does the step `restart`, for an app that reads metadata at its start',
      ),
    ),
    isFollowed: Type.Optional(
      flag(
        'Whether the caller reads the audit every few seconds: it is stopped when nobody has read it for a minute',
      ),
    ),
    url: Type.Optional(Type.String({ maxLength: 2048, description: 'URL of the receiver' })),
    webhookId: Type.Optional(text('Webhook whose receiver is judged, instead of `url`')),
    secret: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Secret that the receiver checks' }),
    ),
    secretIn: Type.Optional(
      OneOf(['header', 'query'], 'Where the receiver expects the secret; default: `header`'),
    ),
    profile: Type.Optional(
      OneOf(deliveryProfiles, 'Delivery profile; default: the one of the sandbox'),
    ),
    event: Type.Optional(
      text(
        'Event of the payload, such as `discussion.comment.create`; default: `repo.content.update`',
      ),
    ),
    effects: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          'URL that responds with the amount of work that the receiver has done, as a number or text',
      }),
    ),
    storm: Type.Optional(
      Type.Object(
        {
          orders: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 100, description: 'Number of orders; default: 5' }),
          ),
          events: Type.Optional(
            Type.Integer({
              minimum: 2,
              maximum: 1000,
              description: 'Number of events; default: 100',
            }),
          ),
          seed: Type.Optional(
            Type.String({
              maxLength: 10_000,
              description: 'Seed of an order, or of some of its steps, to replay',
            }),
          ),
          restart: Type.Optional(
            Type.String({
              maxLength: 2048,
              description:
                'URL that restarts the receiver, and responds when it receives again; it is called in the middle of deliveries',
            }),
          ),
        },
        { additionalProperties: false, description: 'Run the storm instead of the modules' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type StartAuditRequest = Static<typeof StartAuditRequest>

export const StartedAudit = Type.Object({ id: AuditId })
export type StartedAudit = Static<typeof StartedAudit>

export const AuditRunItem = Type.Object(
  {
    id: AuditId,
    kind: OneOf(auditKinds, 'Program that is judged'),
    subject: text('Name of the app, or URL of the receiver; secrets are masked'),
    clientId: Type.Optional(text('App')),
    webhookId: Type.Optional(text('Webhook')),
    plan: text('Plan, or the name of a drill'),
    state: OneOf(
      auditStates,
      'State; `waiting`: for the user; `broken`: something could not be reached',
    ),
    startedAt: Time('Start, on the sandbox clock'),
    planned: Type.Array(ModuleId, { description: 'Modules that it runs, in this order' }),
    module: Type.Optional(text('Module that is running')),
    waitsFor: Type.Optional(text('What the user has to do now')),
    step: Type.Optional(
      Type.Object(
        {
          name: OneOf(auditSteps, 'Step'),
          module: ModuleId,
          times: Type.Optional(integer('Uses at once')),
        },
        { description: 'The same for programs' },
      ),
    ),
    problem: Type.Optional(text('Why it is broken')),
    verdicts: Type.Array(AuditVerdict, {
      description: 'Verdicts so far, in the order of the modules',
    }),
  },
  { description: 'An audit of an app or a receiver' },
)
export type AuditRunItem = Static<typeof AuditRunItem>

export const AuditRunList = ListOf(AuditRunItem)
export type AuditRunList = Static<typeof AuditRunList>

export const ContinueAuditRequest = Type.Object(
  {
    signedIn: Type.Optional(flag('Whether the user is signed in, after the step `probe`')),
    problem: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Why the step failed, as a sentence' }),
    ),
    said: Type.Optional(
      Type.String({
        maxLength: 4000,
        description: 'Last output of the program that did the step, or its error',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ContinueAuditRequest = Static<typeof ContinueAuditRequest>

export const AuditReportQuery = Type.Object({ format: OneOf(reportFormats, 'Format') })
export type AuditReportQuery = Static<typeof AuditReportQuery>
