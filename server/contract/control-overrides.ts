import { Type, type Static } from 'typebox'
import { AppRef, Time } from './control.ts'
import { ClockReading } from './control-clock.ts'
import { FaultMatch } from './control-faults.ts'
import { integer, text } from './plain-fields.ts'

export const ActiveFault = Type.Object(
  {
    id: text('Rule'),
    match: FaultMatch,
    hits: integer('Responses changed so far'),
    left: Type.Optional(integer('Responses still to change; absent: no limit')),
  },
  { description: 'An active fault rule' },
)

/** Recorded run that the sandbox shows. */
export const RecordedRunItem = Type.Object(
  {
    madeAt: Time('Time of the recording, in real time'),
    madeBy: text('Version that recorded it'),
    command: Type.Optional(text('Command that was run')),
    exitCode: Type.Optional(integer('Exit code of the command')),
    leftOut: Type.Array(Type.String(), {
      description: 'Notices about parts that the recording lacks',
    }),
  },
  { description: 'Recorded run, for viewing only: nothing is delivered, retried or run' },
)
export type RecordedRunItem = Static<typeof RecordedRunItem>

/** Active overrides and pending devices: small, so it can be polled. */
export const ActiveOverrides = Type.Object({
  clock: ClockReading,
  faults: Type.Array(ActiveFault, { description: 'Fault rules, in the order of matching' }),
  barriers: Type.Array(
    Type.Object({
      id: text('Barrier'),
      match: FaultMatch,
      count: integer('Maximum number of requests to hold'),
      held: integer('Requests held now'),
    }),
  ),
  devices: Type.Array(
    Type.Object({
      userCode: text('User code (RFC 8628 §6.1)'),
      app: AppRef,
      expiresAt: Time('Expiry of the code'),
    }),
    { description: 'Pending device codes' },
  ),
  recordedRun: Type.Optional(RecordedRunItem),
})
export type ActiveOverrides = Static<typeof ActiveOverrides>
