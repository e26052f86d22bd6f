import { encodeText } from '../../core/encode-text.ts'
import { own } from '../../core/own.ts'
import type { CastApp } from './cast.ts'
import { formBody } from './demo-browser.ts'
import type { Ending, Scene } from './scene.ts'

/** JSON response of an endpoint for apps. */
export interface AppResponse {
  status: number
  body: Readonly<Record<string, unknown>>
}

/** Client authentication of an app: HTTP Basic with its secret (RFC 6749 §2.3.1), or the client id alone for a public app. */
function credentialsOf({ clientId, clientSecret }: Pick<CastApp, 'clientId' | 'clientSecret'>): {
  headers: Record<string, string>
  form: Record<string, string>
} {
  if (clientSecret === undefined) return { headers: {}, form: { client_id: clientId } }
  const pair = [clientId, clientSecret].map(encodeText).join(':')
  return { headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, form: {} }
}

/** Posts a form as the app. */
export async function postAs(
  { send }: Pick<Scene, 'send'>,
  app: Pick<CastApp, 'clientId' | 'clientSecret'>,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<AppResponse> {
  const credentials = credentialsOf(app)
  const { headers, body } = formBody({ ...credentials.form, ...form })
  const headersOfApp = { ...credentials.headers, ...headers, accept: 'application/json' }
  return readResponse(await send({ method: 'POST', path, headers: headersOfApp, body }), path)
}

/** Sends a GET request with an access token (RFC 6750 §2.1). */
export async function getWith(
  { send }: Pick<Scene, 'send'>,
  token: string,
  path: string,
): Promise<AppResponse> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  return readResponse(await send({ method: 'GET', path, headers }), path)
}

/** Sends a GET request without credentials. */
export async function getJson({ send }: Pick<Scene, 'send'>, path: string): Promise<AppResponse> {
  return readResponse(
    await send({ method: 'GET', path, headers: { accept: 'application/json' } }),
    path,
  )
}

function readResponse(
  { status, body }: { status: number; body: string },
  path: string,
): AppResponse {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (error) {
    const start = body.trim().slice(0, 80)
    throw new Error(`${path} returned ${status} with invalid JSON: ${start}`, { cause: error })
  }
  if (typeof value !== 'object' || value === null) {
    throw new Error(`${path} returned ${status} with JSON that is not an object.`)
  }
  return { status, body: { ...value } }
}

/** @throws when the response lacks it: an app could not continue either */
export function requireText({ body }: AppResponse, name: string): string {
  const value = own(body, name)
  if (typeof value === 'string') return value
  throw new Error(`The response has no ${name}, which the app needs.`)
}

/** Returns the ending for a refused request; `undefined` for a successful one. */
export function refusalOf({ status, body }: AppResponse): Ending | undefined {
  if (status < 400) return undefined
  const { error = `HTTP ${status}`, error_description: why } = body
  const explanation = [error, why].filter((part) => typeof part === 'string').join(': ')
  return { outcome: 'refused', explanation }
}
