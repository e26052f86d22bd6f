import { Type, type Static } from 'typebox'
import { AppRef, Time } from './control.ts'
import { ClockReading } from './control-clock.ts'
import { FaultMatch } from './control-faults.ts'

export const ActiveFault = Type.Object(
  {
    id: Type.String({ description: 'Rule' }),
    match: FaultMatch,
    hits: Type.Integer({ description: 'Responses changed so far' }),
    left: Type.Optional(
      Type.Integer({ description: 'Responses still to change; absent: no limit' }),
    ),
  },
  { description: 'An active fault rule' },
)

/** Recorded run that the sandbox shows. */
export const RecordedRunItem = Type.Object(
  {
    madeAt: Time('Time of the recording, in real time'),
    madeBy: Type.String({ description: 'Version that recorded it' }),
    command: Type.Optional(Type.String({ description: 'Command that was run' })),
    exitCode: Type.Optional(Type.Integer({ description: 'Exit code of the command' })),
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
      id: Type.String({ description: 'Barrier' }),
      match: FaultMatch,
      count: Type.Integer({ description: 'Maximum number of requests to hold' }),
      held: Type.Integer({ description: 'Requests held now' }),
    }),
  ),
  devices: Type.Array(
    Type.Object({
      userCode: Type.String({ description: 'User code (RFC 8628 §6.1)' }),
      app: AppRef,
      expiresAt: Time('Expiry of the code'),
    }),
    { description: 'Pending device codes' },
  ),
  recordedRun: Type.Optional(RecordedRunItem),
})
export type ActiveOverrides = Static<typeof ActiveOverrides>
