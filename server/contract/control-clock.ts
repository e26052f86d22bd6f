import { Type, type Static } from 'typebox'
import { Duration, Time } from './control.ts'
import { flag, number } from './plain-fields.ts'

export const ClockReading = Type.Object(
  {
    now: Time('Current sandbox time'),
    frozen: flag('Whether the clock is frozen'),
    offsetMs: number('Milliseconds ahead of real time'),
  },
  { description: 'The clock of the sandbox' },
)
export type ClockReading = Static<typeof ClockReading>

export const ClockPreviewQuery = Type.Object(
  {
    advance: Type.Optional(Duration('Duration to advance by, such as `8h`')),
    set: Type.Optional(Time('Time to set')),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
)
export type ClockPreviewQuery = Static<typeof ClockPreviewQuery>

export const ClockPreview = Type.Object({
  now: Time('Sandbox time after the move'),
  effects: Type.Array(Type.String(), {
    description:
      'One sentence for each kind of thing that expires by then (tokens, codes, sign-ins of browsers), and for the retries that become due',
  }),
})
export type ClockPreview = Static<typeof ClockPreview>

export const MoveClockRequest = Type.Object(
  {
    advance: Type.Optional(Duration('Duration to advance by, such as `8h`')),
    set: Type.Optional(Time('Time to set')),
    frozen: Type.Optional(flag('Freeze (true) or resume (false)')),
    real: Type.Optional(Type.Literal(true, { description: 'Return to real time' })),
    untilIdle: Type.Optional(
      Type.Literal(true, {
        description:
          'Move from one due retry to the next until none is waiting; responds once all are sent',
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: 'Exactly one of the members',
  },
)
export type MoveClockRequest = Static<typeof MoveClockRequest>
