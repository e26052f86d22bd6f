import { Type, type Static } from 'typebox'
import { Duration, Time } from './control.ts'

export const ClockReading = Type.Object(
  {
    now: Time('The time as the sandbox sees it'),
    frozen: Type.Boolean({ description: 'Whether it stands still' }),
    offsetMs: Type.Number({ description: 'How far it is ahead of real time' }),
  },
  { description: 'The clock of the sandbox' },
)
export type ClockReading = Static<typeof ClockReading>

export const MoveClockRequest = Type.Object(
  {
    advance: Type.Optional(Duration('Move on by this much, such as `8h`')),
    set: Type.Optional(Time('Go to this time')),
    frozen: Type.Optional(Type.Boolean({ description: 'Stop (true) or run on (false)' })),
    untilIdle: Type.Optional(
      Type.Literal(true, {
        description:
          'Go from one due retry to the next until none waits; resolves when all is done',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1, description: 'Exactly one' },
)
export type MoveClockRequest = Static<typeof MoveClockRequest>
