import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { fixKinds } from './words/sandbox-words.ts'
import { flag, text } from './plain-fields.ts'
import { NearestUri } from './nearest-uri.ts'

// Suggested fixes: changes in the sandbox that let a refused sign-in succeed.

export const Fix = Type.Object(
  {
    id: text('Id of this exact change; any other change has another id'),
    kind: OneOf(fixKinds, 'Thing that changes'),
    title: text('Short description'),
    change: text('Complete description of the change'),
    address: Type.Optional(
      Type.Object(
        {
          value: text('Exact redirect URI'),
          host: Type.Optional(text('Host of the URI, if it has one')),
          loopback: flag('Whether the host is this machine'),
        },
        { description: 'Redirect URI that the fix allows' },
      ),
    ),
    nearest: Type.Optional(NearestUri),
    fixtures: Type.Object(
      {
        place: text('Path in a fixtures file'),
        lines: text('Value at that path, as JSON'),
      },
      { description: 'The same change in a fixtures file, for every start' },
    ),
    onTheHub: text('How to fix it on the real Hub'),
    alsoExpires: Type.Optional(
      Type.Array(Type.String(), {
        description: 'For a clock change: what else expires or becomes due, one sentence each',
      }),
    ),
  },
  { description: 'Change that lets a refused sign-in succeed when it is repeated' },
)
export type Fix = Static<typeof Fix>

export const RefusedSetting = Type.Object(
  {
    clientId: text('App'),
    field: OneOf(['redirectUris', 'scopes', 'clientSecret'] as const, 'Setting'),
    values: Type.Optional(
      Type.Array(Type.String(), {
        description: 'New value with which the request succeeds; absent for a secret',
      }),
    ),
  },
  { description: 'Setting of the app that the refused request does not match' },
)
export type RefusedSetting = Static<typeof RefusedSetting>

export const FixList = Type.Object({
  items: Type.Array(Fix, { description: 'Empty if nothing was refused or no change helps' }),
  setting: Type.Optional(RefusedSetting),
})
export type FixList = Static<typeof FixList>

export const AppliedFix = Type.Object({
  made: Fix,
  next: text('Next step'),
})
export type AppliedFix = Static<typeof AppliedFix>
