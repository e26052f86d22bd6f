import { type TSchema, Type } from 'typebox'
import { Media } from './control.ts'
import type { HubTable } from './hub-endpoint.ts'
import {
  AuthorizationQuery,
  CiExchange,
  ClientInformation,
  ConsentForm,
  DeviceAuthorizationForm,
  DeviceAuthorizationResponse,
  DeviceCodeForm,
  KeySet,
  LoginForm,
  LogoutForm,
  OAuthErrorBody,
  Page,
  Redirect,
  RegistrationRequest,
  ResourceMetadata,
  ServerMetadata,
  TokenForm,
  TokenResponse,
  UserinfoResponse,
} from './oauth.ts'
import { text } from './plain-fields.ts'

const formLimit = 64 * 1024
const name = Type.String()
const id = Type.String()
const refusedPage = Page('Request refused')

/** Pages need `Accept: text/html` and a valid page path. */
const NoPageBody = Type.Object({
  error: text('Error code if there is a message, else the message'),
  message: Type.Optional(Type.String()),
})
const noPage = Type.Union([Page('HTML page for browsers'), NoPageBody], {
  description: 'Not found or not visible, or HTML is not accepted',
})
const repoPageOf = (type: string) => ({
  tag: 'pages',
  summary: `Show the page of a ${type}`,
  params: { namespace: name, name },
  otherwise: { 200: Page('Repo page'), 307: Redirect('Redirect to the current name') },
  refusal: noPage,
})

/** Metadata that never fails. */
const metadata = <S extends TSchema>(tag: string, summary: string, response: S) => ({
  tag,
  summary,
  response,
  refusal: false as const,
})
/** Settings page of the Hub, which the dashboard has. */
const dashboardPage = {
  tag: 'hub',
  feature: 'settings pages',
  summary: 'Redirect to the dashboard',
  otherwise: { 303: Redirect('Redirect to the dashboard page') },
  refusal: false,
} as const
const userinfo = {
  tag: 'sign-in',
  feature: 'userinfo',
  summary: 'Get claims about the user of an access token',
  response: UserinfoResponse,
  refusal: OAuthErrorBody,
} as const

/**
 * The Hub outside of its API: sign-in and pages. Like `hubApi`, but kept apart from it, because a sign-in needs nothing of
 * the API.
 */
export const siteApi = {
  'GET /.well-known/openid-configuration': {
    ...metadata('sign-in', 'Get the server metadata', ServerMetadata),
    feature: 'discovery',
  },
  'GET /.well-known/oauth-authorization-server': {
    ...metadata('sign-in', 'Get the server metadata', ServerMetadata),
    feature: 'discovery',
  },
  'GET /.well-known/oauth-protected-resource': metadata(
    'mcp',
    'Get the metadata of the MCP server',
    ResourceMetadata,
  ),
  'GET /.well-known/oauth-protected-resource/mcp': metadata(
    'mcp',
    'Get the metadata of the MCP server',
    ResourceMetadata,
  ),
  'GET /oauth/jwks': {
    tag: 'sign-in',
    feature: 'discovery',
    summary: 'Get the signing keys',
    response: { ...KeySet, contentMediaType: 'application/jwk-set+json' },
    refusal: false,
  },

  'GET /oauth/authorize': {
    tag: 'sign-in',
    feature: 'authorization',
    summary: 'Show the consent page, or redirect to the app',
    unchecked: { query: AuthorizationQuery },
    otherwise: {
      200: Page('Consent page'),
      303: Redirect('Redirect to the login page, or to the app with `code` or `error`'),
      400: Page('Unknown app or unregistered redirect URI'),
    },
    refusal: false,
  },
  'POST /oauth/authorize': {
    tag: 'sign-in',
    feature: 'authorization',
    summary: 'Record the decision of the user',
    unchecked: { query: AuthorizationQuery, form: ConsentForm },
    bodyLimit: formLimit,
    otherwise: {
      303: Redirect(
        'Redirect to the app with `code` or `error`; a request in the body is redirected to the same request by GET',
      ),
    },
    refusal: refusedPage,
  },
  'POST /oauth/token': {
    tag: 'sign-in',
    feature: 'token',
    summary: 'Exchange a grant for tokens',
    unchecked: { form: TokenForm, json: CiExchange },
    bodyLimit: formLimit,
    response: TokenResponse,
    refusal: OAuthErrorBody,
  },
  'GET /oauth/userinfo': userinfo,
  'POST /oauth/userinfo': { ...userinfo, bodyLimit: formLimit },
  'POST /oauth/register': {
    tag: 'sign-in',
    feature: 'registration',
    summary: 'Register an app',
    unchecked: { json: RegistrationRequest },
    bodyLimit: formLimit,
    status: 201,
    response: ClientInformation,
    refusal: OAuthErrorBody,
  },

  'POST /oauth/device': {
    tag: 'sign-in',
    feature: 'device',
    summary: 'Start a device authorization',
    unchecked: { form: DeviceAuthorizationForm, json: DeviceAuthorizationForm },
    bodyLimit: formLimit,
    response: DeviceAuthorizationResponse,
    refusal: OAuthErrorBody,
  },
  'GET /oauth/device': {
    tag: 'sign-in',
    feature: 'device',
    summary: 'Show the form for a device code',
    otherwise: { 200: Page('Code page'), 303: Redirect('Redirect to the login page') },
    refusal: false,
  },
  'POST /oauth/device/verify': {
    tag: 'sign-in',
    feature: 'device',
    summary: 'Check the code, then record the decision',
    unchecked: { form: DeviceCodeForm },
    bodyLimit: 16 * 1024,
    otherwise: {
      303: Redirect('Redirect to the consent page or, after the decision, to the result'),
      400: Page('Unknown code'),
      429: Page('Too many unknown codes'),
    },
    refusal: false,
  },
  // Only a typed code leads here: a direct link would let others guess codes and send links to this page.
  'GET /oauth/device/verify': {
    tag: 'sign-in',
    feature: 'device',
    summary: 'Show the consent page of a device',
    otherwise: {
      200: Page('Consent page'),
      303: Redirect('Redirect to the code page'),
      400: Page('Code expired or used'),
    },
    refusal: false,
  },
  'GET /oauth/device/done': {
    tag: 'sign-in',
    feature: 'device',
    summary: 'Show the outcome for a device',
    otherwise: {
      200: Page('Result: allowed or denied'),
      303: Redirect('Redirect to the code page'),
    },
    refusal: false,
  },

  'GET /login': {
    tag: 'sign-in',
    summary: 'Show the login page',
    otherwise: { 200: Page('Users') },
    refusal: false,
  },
  'POST /login': {
    tag: 'sign-in',
    summary: 'Sign a user in',
    unchecked: { form: LoginForm },
    bodyLimit: formLimit,
    otherwise: { 303: Redirect('Redirect to `next`, with the session cookie') },
    refusal: refusedPage,
  },
  'POST /logout': {
    tag: 'sign-in',
    summary: 'Sign out',
    unchecked: { form: LogoutForm },
    otherwise: { 303: Redirect('Redirect to the login page') },
    refusal: refusedPage,
  },

  'GET /:name': {
    tag: 'pages',
    summary: 'Show the page of a user or organization',
    params: { name },
    otherwise: { 200: Page('Account page') },
    refusal: noPage,
  },
  'GET /:namespace/:name': repoPageOf('model'),
  'GET /datasets/:namespace/:name': repoPageOf('dataset'),
  'GET /spaces/:namespace/:name': repoPageOf('space'),
  'GET /buckets/:namespace/:name': repoPageOf('bucket'),

  'GET /avatars/:name.svg': {
    tag: 'hub',
    feature: 'avatars',
    summary: 'Get the generated avatar of an account',
    params: { name },
    otherwise: { 200: Media('image/svg+xml', 'Image') },
    refusal: false,
  },
  'GET /': dashboardPage,
  'GET /settings/applications': dashboardPage,
  'GET /settings/applications/new': dashboardPage,
  'GET /settings/connected-applications': dashboardPage,
  'GET /settings/tokens': dashboardPage,
  'GET /settings/webhooks': dashboardPage,
  'GET /settings/webhooks/:id/activity': { ...dashboardPage, params: { id } },
  'GET /organizations/:name/settings/audit-log': { ...dashboardPage, params: { name } },
} as const satisfies HubTable

export type SiteApi = typeof siteApi
