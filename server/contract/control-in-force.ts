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
})
export type InForce = Static<typeof InForce>
