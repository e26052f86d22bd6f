import { Type, type Static } from 'typebox'
import { ListOf, Time } from './control.ts'
import { OneOf } from './one-of.ts'
import { cookieModes, cookieReasons, cookieStates, framePlaces } from './words/frame-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Space frames: an app in a cross-site frame, as the Hub embeds a Space.

const Mode = OneOf(cookieModes, 'Rules for the cookies of the app')

export const OpenSpaceFrameRequest = Type.Object(
  {
    target: Type.String({
      maxLength: 2000,
      description: 'URL of the app, such as `http://localhost:7860`',
    }),
    space: Type.Optional(
      Type.String({ maxLength: 300, description: 'Space that the app is, such as `alice/demo`' }),
    ),
    mode: Type.Optional(Mode),
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'Port of the frame (default: any free port)',
      }),
    ),
  },
  { additionalProperties: false },
)
export type OpenSpaceFrameRequest = Static<typeof OpenSpaceFrameRequest>

export const UpdateSpaceFrameRequest = Type.Object({ mode: Mode }, { additionalProperties: false })
export type UpdateSpaceFrameRequest = Static<typeof UpdateSpaceFrameRequest>

const verdict = {
  state: OneOf(cookieStates, 'Whether the cookie reached the app'),
  reason: Type.Optional(OneOf(cookieReasons, 'Reason why it did not')),
  explanation: Type.Optional(text('Reason as a sentence')),
  fix: Type.Optional(text('How to change the cookie')),
  isSandbox: Type.Optional(
    Type.Literal(true, { description: 'The mode of the frame withheld it, not the browser' }),
  ),
}

export const CookieVerdict = Type.Object(verdict, { description: 'What became of a cookie' })
export type CookieVerdict = Static<typeof CookieVerdict>

const Cookies = Type.Array(Type.Object({ name: text('Name of the cookie'), ...verdict }), {
  description: 'Cookies that the app has set, as far as this request is concerned',
})

export const SpaceFrameCall = Type.Object(
  {
    id: text('Request'),
    at: Time('Time of arrival, on the sandbox clock'),
    place: OneOf(framePlaces, 'Whether the app is framed or opened directly'),
    method: text('HTTP method'),
    path: text('Path without the query'),
    status: integer('Status of the response; 0 = none yet'),
    cookies: Cookies,
    set: Type.Array(
      Type.Object({
        name: text('Name of the cookie'),
        attributes: text('Its attributes, without the value'),
        kept: flag('Whether browsers store it here'),
        reason: verdict.reason,
        explanation: verdict.explanation,
        fix: verdict.fix,
      }),
      { description: 'Cookies of the response' },
    ),
  },
  { description: 'A request of the browser to the app' },
)
export type SpaceFrameCall = Static<typeof SpaceFrameCall>

export const FrameCookie = Type.Object(
  {
    name: text('Name of the cookie'),
    attributes: text('Attributes as last set, without the value'),
    inFrame: Type.Optional(CookieVerdict),
    directly: Type.Optional(CookieVerdict),
    advice: Type.Optional(text('Problem of the cookie in other browsers than this one')),
  },
  { description: 'A cookie of the app, in the frame and opened directly' },
)
export type FrameCookie = Static<typeof FrameCookie>

const frame = {
  id: text('Frame'),
  target: text('URL of the app'),
  space: Type.Optional(text('Space that the app is')),
  mode: Mode,
  port: integer('Port at which browsers reach the app'),
  url: text('URL of the app in the frame: another site than that of the sandbox'),
  pageUrl: text('Page of the dashboard that has the frame'),
  openedAt: Time('Time of creation, on the sandbox clock'),
  callCount: integer('Number of requests'),
}

export const SpaceFrameItem = Type.Object(frame, { description: 'A Space frame' })
export type SpaceFrameItem = Static<typeof SpaceFrameItem>

export const SpaceFrameList = ListOf(SpaceFrameItem)
export type SpaceFrameList = Static<typeof SpaceFrameList>

export const SpaceFrameDetail = Type.Object(
  {
    ...frame,
    cookies: Type.Array(FrameCookie, { description: 'Cookies of the app' }),
    calls: Type.Array(SpaceFrameCall, { description: 'Latest requests, newest first' }),
    problems: Type.Array(Type.String(), {
      description: 'Reasons why the frame may stay empty or a sign-in leaves it, as sentences',
    }),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Environment variables that the Hub sets for the Space',
      }),
    ),
    pageVariables: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: '`window.huggingface.variables` in the pages of a static Space',
      }),
    ),
  },
  { description: 'A Space frame with what became of the cookies' },
)
export type SpaceFrameDetail = Static<typeof SpaceFrameDetail>
