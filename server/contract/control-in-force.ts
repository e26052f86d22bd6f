import { Type, type Static } from 'typebox'
import { AppRef, Time } from './control.ts'
import { ClockReading } from './control-clock.ts'
import { FaultMatch } from './control-faults.ts'

export const ActiveFault = Type.Object(
  {
    id: Type.String({ description: 'Rule' }),
    match: FaultMatch,
    hits: Type.Integer({ description: 'Answers changed so far' }),
    left: Type.Optional(
      Type.Integer({ description: 'Answers it will still change; absent: all of them' }),
    ),
  },
  { description: 'A fault rule that may still match' },
)

/** A run that was written down, in a sandbox that shows it. */
export const RecordedRunItem = Type.Object(
  {
    madeAt: Time('When it was written down, in real time'),
    madeBy: Type.String({ description: 'By which version' }),
    command: Type.Optional(Type.String({ description: 'Program that was run' })),
    exitCode: Type.Optional(Type.Integer({ description: 'How it ended' })),
    leftOut: Type.Array(Type.String(), { description: 'What is not in it, in sentences' }),
    clockRan: Type.Boolean({ description: 'Whether the clock runs again once it is resumed' }),
  },
  { description: 'A recorded run: nothing is delivered, retried or run until it is resumed' },
)
export type RecordedRunItem = Static<typeof RecordedRunItem>

/** What makes a sandbox answer otherwise than it would by itself, and who waits: small enough to be read often. */
export const InForce = Type.Object({
  clock: ClockReading,
  faults: Type.Array(ActiveFault, { description: 'In the order in which they are tried' }),
  barriers: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Barrier' }),
      match: FaultMatch,
      count: Type.Integer({ description: 'Requests held at most' }),
      held: Type.Integer({ description: 'Requests that wait' }),
    }),
  ),
  devices: Type.Array(
    Type.Object({
      userCode: Type.String({ description: 'What the user types (RFC 8628 §6.1)' }),
      app: AppRef,
      expiresAt: Time('When the code ends'),
    }),
    { description: 'Device codes that wait for a user' },
  ),
  recordedRun: Type.Optional(RecordedRunItem),
})
export type InForce = Static<typeof InForce>
