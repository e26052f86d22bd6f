import { Type, type Static } from 'typebox'
import { AddFaultRequest } from './control-faults.ts'
import { ListOf } from './control.ts'
import { OneOf } from './one-of.ts'
import {
  demoKinds,
  experimentAreas,
  experimentStates,
  experimentSubjects,
} from './words/sandbox-words.ts'
import { flag, text } from './plain-fields.ts'

export const Verdict = Type.Object(
  {
    state: OneOf(
      experimentStates,
      'State; `watching`: the app may still send a request; `unclear`: the app did nothing that tells',
    ),
    text: text('Explanation'),
    flowId: Type.Optional(text('Sign-in in which it happened')),
    deliveryId: Type.Optional(text('Delivery that it was about')),
  },
  { description: 'Verdict on the last run' },
)
export type Verdict = Static<typeof Verdict>

export const ExperimentItem = Type.Object({
  id: text('Id, such as `nonce`'),
  title: text('Title'),
  expected: text('Behaviour of a good app'),
  subject: OneOf(experimentSubjects, 'Program that is judged'),
  area: OneOf(experimentAreas, 'Part of the Hub that it is about'),
  demo: Type.Optional(OneOf(demoKinds, 'Demo that can play the app')),
  rule: Type.Optional(AddFaultRequest),
  faultId: Type.Optional(text('Fault rule of the last run')),
  verdict: Type.Optional(Verdict),
})
export type ExperimentItem = Static<typeof ExperimentItem>

export const ExperimentList = ListOf(ExperimentItem)
export type ExperimentList = Static<typeof ExperimentList>

export const RunExperimentRequest = Type.Object(
  {
    clientId: Type.Optional(text('App to judge, for experiments with apps; default: any')),
    webhookId: Type.Optional(
      text('Webhook to judge, for experiments with receivers; default: the last one used'),
    ),
    play: Type.Optional(flag('Whether the demo app of the sandbox plays the app')),
    isFollowed: Type.Optional(
      flag(
        'Whether the caller reads `GET experiments/ID` every few seconds: the experiment is stopped when nobody has read it for 10 s before its verdict',
      ),
    ),
  },
  { additionalProperties: false },
)
export type RunExperimentRequest = Static<typeof RunExperimentRequest>
