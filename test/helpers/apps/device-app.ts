import { setTimeout as sleep } from 'node:timers/promises'
import { deviceCodeGrant } from '../../../server/contract/words/oauth-words.ts'
import type { Mistake } from './mistakes.ts'

export interface DeviceAppOptions {
  issuer: string
  clientId: string
  mistakes?: readonly Mistake[]
  /** Whether it repeats a refused token request in the other style, as golang.org/x/oauth2 does. */
  triesBothStyles?: boolean
}

export interface DeviceApp {
  /** Resolves when the sign-in has ended, well or not. */
  signIn: () => Promise<void>
  isSignedIn: () => boolean
}

interface Answer {
  device_code?: string
  interval?: number
  access_token?: string
  error?: string
}

/** Seconds that are added after `slow_down`, and between polls without an interval (RFC 8628 §3.5). */
const usualSeconds = 5
/** Polls after which an app gives up that does not stop by itself. */
const mostPolls = 6

/** A device that signs users in with the hub, without mistakes or with chosen ones. An audit types its code and approves. */
export function createDeviceApp(options: DeviceAppOptions): DeviceApp {
  const { issuer, clientId, mistakes = [], triesBothStyles = false } = options
  const makes = (mistake: Mistake) => mistakes.includes(mistake)
  let accessToken: string | undefined

  async function post(path: string, form: Record<string, string>) {
    const body = new URLSearchParams({ client_id: clientId, ...form })
    const response = await fetch(`${issuer}${path}`, { method: 'POST', body })
    const text = await response.text()
    const answer = (text.startsWith('{') ? JSON.parse(text) : {}) as Answer
    return { status: response.status, answer }
  }

  /** RFC 6749 §2.3.1: the client id in the header first, then in the body. */
  async function postInBothStyles(path: string, form: Record<string, string>) {
    if (triesBothStyles) {
      const headers = { authorization: `Basic ${btoa(`${clientId}:`)}` }
      const body = new URLSearchParams(form)
      const response = await fetch(`${issuer}${path}`, { method: 'POST', headers, body })
      if (response.ok) return { status: 200, answer: (await response.json()) as Answer }
    }
    return post(path, form)
  }

  function pauseOf({ interval }: Answer): number {
    if (makes('polls-too-fast')) return 0.3
    return interval ?? (makes('ignores-usual-interval') ? 1 : usualSeconds)
  }

  return {
    isSignedIn: () => accessToken !== undefined,
    async signIn() {
      accessToken = undefined
      const { answer: code } = await post('/oauth/device', { scope: 'openid profile' })
      let seconds = pauseOf(code)
      for (let poll = 0; poll < mostPolls; poll += 1) {
        await sleep(seconds * 1000)
        const { status, answer: body } = await postInBothStyles('/oauth/token', {
          grant_type: deviceCodeGrant,
          device_code: code.device_code ?? '',
        })
        accessToken = body.access_token
        if (accessToken !== undefined) return callHub(issuer, accessToken)
        if (body.error === 'slow_down' && !makes('ignores-slow-down')) seconds += usualSeconds
        const goesOn =
          ['authorization_pending', 'slow_down'].includes(body.error ?? '') ||
          (status >= 500 && !makes('stops-at-failure')) ||
          (body.error === 'access_denied' && makes('polls-after-denial')) ||
          (body.error === 'expired_token' && makes('polls-after-expiry'))
        if (!goesOn) return
      }
    },
  }
}

async function callHub(issuer: string, accessToken: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` }
  await fetch(`${issuer}/oauth/userinfo`, { headers })
}
