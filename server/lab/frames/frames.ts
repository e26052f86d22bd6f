import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FrameCookie } from '../../contract/control-frames.ts'
import type { CookieMode, FramePlace } from '../../contract/words/frame-words.ts'
import { inBackground, messageOf, type Report, warn } from '../../core/background.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { pathOf, queryPartOf } from '../../core/request-target.ts'
import { Refusal } from '../../core/refusal.ts'
import { clearTimeout, performance, setTimeout } from '../../core/timers.ts'
import type { Deps } from '../../hub/deps.ts'
import type { FrameCall } from '../../inspect/flows/frame-call.ts'
import { errorCode } from '../../store/errors.ts'
import { findTargetProblem, type TargetPolicy } from '../../web/outgoing/target-policy.ts'
import { type CookieJar, createCookieJar } from './cookie-jar.ts'
import { forwardRequest, type Forwarding, forwardUpgrade } from './forward.ts'
import { variablesScript } from './insert-script.ts'
import { createPlaces, isDocumentRequest } from './frame-place.ts'
import { framingProblem, redirectProblem, startedSignIn } from './frame-problems.ts'
import {
  type FrameCertificate,
  type FrameServer,
  openFrameServer,
  responseOn,
  sendText,
} from './frame-server.ts'
import type { CookieSituation } from './judge-cookie.ts'

/** An app in a cross-site frame, as the Hub embeds a Space. */
export interface Frame {
  readonly id: string
  /** URL of the app. */
  readonly target: string
  /** Space that the app is. */
  readonly space?: string
  readonly mode: CookieMode
  readonly port: number
  /** Milliseconds since 1970 on the sandbox clock. */
  readonly openedAt: number
  /** Number of requests since it was opened. */
  readonly callCount: number
}

/**
 * Space frames. The browser loads the app from a port of the frame on another host name than the dashboard's, so from
 * another site, and the sandbox sees which cookies arrive and which the app sets. They are kept in memory only.
 */
export interface Frames {
  /**
   * @throws {Refusal} `invalid` for an unusable target, `conflict` for a port in use, `overloaded` at the limit
   */
  open(request: {
    target: string
    space?: string | undefined
    mode?: CookieMode | undefined
    port?: number | undefined
  }): Promise<Frame>
  list(): Frame[]
  get(id: string): Frame | undefined
  /** Cookies, requests (newest first) and problems of a frame. */
  findings(id: string): FrameFindings | undefined
  /** Changes the rules for cookies from the next request on. */
  setMode(id: string, mode: CookieMode): Frame | undefined
  /** @returns whether the frame existed */
  close(id: string): Promise<boolean>
  /** Requests of all frames that started or ended a sign-in, oldest first. */
  signInCalls(): readonly FrameCall[]
  /** Forgets the requests of all frames, which stay open. */
  forgetCalls(): void
  /** Closes all frames. */
  clear(): Promise<void>
}

export interface FrameFindings {
  readonly cookies: readonly FrameCookie[]
  readonly calls: readonly FrameCall[]
  readonly problems: readonly string[]
}

export interface FramesOptions {
  /** Certificate of a sandbox with HTTPS: frames have the scheme of the page around them. */
  readonly certificate?: FrameCertificate | undefined
  /** Real time, by which browsers expire cookies. */
  readonly realNow: () => number
  /** Returns what the pages of a static Space find in `window.huggingface.variables`; `undefined` for other Spaces. */
  readonly pageVariables?: (space: string) => Readonly<Record<string, string>> | undefined
  readonly report?: Report
}

const mostFrames = 20
/** Most requests that are kept of a frame; those of sign-ins have as many places of their own. */
const mostCalls = 300
const mostProblems = 10
const announceMs = 200
const longestPath = 500
const longestUrl = 16_384

interface Open extends Omit<Frame, 'callCount'> {
  mode: CookieMode
  callCount: number
  readonly server: FrameServer
  readonly jar: CookieJar
  readonly placeOf: (headers: IncomingHttpHeaders, url: string) => FramePlace
  readonly calls: FrameCall[]
  readonly signIns: FrameCall[]
  readonly problems: Set<string>
  announcement: NodeJS.Timeout | undefined
}

export function createFrames(
  { clock, bus }: Pick<Deps, 'clock' | 'bus'>,
  policy: TargetPolicy,
  { certificate, realNow, pageVariables, report = warn }: FramesOptions,
): Frames {
  const frames = new Map<string, Open>()
  const scheme = certificate === undefined ? 'http' : 'https'
  let opened = 0
  let opening = 0

  /** Notes a request and returns how it is forwarded. */
  function take(frame: Open, request: IncomingMessage): Forwarding {
    const { headers, method = 'GET', url = '/' } = request
    const path = pathOf(url)
    const host = headers.host ?? ''
    const place = frame.placeOf(headers, url)
    const situation = (): CookieSituation => ({
      place,
      host: new URL(`${scheme}://${host}`).hostname,
      path,
      method,
      site: textOf(headers['sec-fetch-site']),
      storageAccess: textOf(headers['sec-fetch-storage-access']),
      nowMs: realNow(),
    })
    const { header, cookies } = frame.jar.send(headers.cookie, situation())
    frame.callCount += 1
    const call: FrameCall = {
      id: `${frame.id}.${frame.callCount}`,
      at: clock.now(),
      receivedMs: performance.now(),
      place,
      method,
      path: path.length > longestPath ? `${path.slice(0, longestPath)}…` : path,
      status: 0,
      cookies,
      set: [],
      ...omitUndefined({ callback: callbackOf(url) }),
    }
    keep(frame, call)
    announce(frame)
    const variables = frame.space === undefined ? undefined : pageVariables?.(frame.space)
    return {
      target: new URL(frame.target),
      policy,
      scheme,
      cookie: header,
      script: variables && variablesScript(variables),
      onHead(response) {
        const { statusCode = 0, headers: got } = response
        const { lines, set } = frame.jar.store(got['set-cookie'] ?? [], situation())
        const { location = '' } = got
        const signIn = location.length > longestUrl ? undefined : startedSignIn(location)
        const answered = { ...call, status: statusCode, set, answeredMs: performance.now() }
        keep(frame, { ...answered, ...omitUndefined({ signIn }) })
        const isDocument = isDocumentRequest(headers)
        note(frame, signIn && redirectProblem(signIn, host, new URL(frame.target)))
        if (isDocument && place === 'frame') note(frame, framingProblem(got))
        announce(frame)
        return lines
      },
    }
  }

  /** Adds a request, or replaces it by its completed form. */
  function keep({ calls, signIns }: Open, call: FrameCall): void {
    put(calls, call)
    if (call.callback !== undefined || call.signIn !== undefined) put(signIns, call)
  }

  /** Emits the fact once for all requests of a moment: a page loads dozens of files. */
  function announce(frame: Open): void {
    frame.announcement ??= setTimeout(() => {
      frame.announcement = undefined
      bus.emit('frame.changed', { frameId: frame.id })
    }, announceMs).unref()
  }

  function note({ problems }: Open, problem: string | undefined): void {
    if (problem !== undefined && problems.size < mostProblems) problems.add(problem)
  }

  function guarded(id: string, work: (frame: Open) => Promise<void>, drop: () => void): void {
    const what = `a request of the frame ${id}`
    inBackground(
      report,
      what,
      async () => {
        const frame = frames.get(id)
        if (frame === undefined) drop()
        else await work(frame)
      },
      drop,
    )
  }

  function serve(id: string, port: number): Promise<FrameServer> {
    return openFrameServer(port, certificate, {
      handle: (request: IncomingMessage, response: ServerResponse) =>
        guarded(
          id,
          (frame) => forwardRequest(request, response, take(frame, request)),
          () => sendText(response, 502, 'This frame was closed.'),
        ),
      upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        guarded(
          id,
          (frame) => forwardUpgrade(request, socket, head, take(frame, request)),
          () => sendText(responseOn(request, socket), 502, 'This frame was closed.'),
        ),
      onError: (error) => report(`the frame ${id} failed: ${error.message}`),
    })
  }

  async function close(id: string): Promise<boolean> {
    const frame = frames.get(id)
    frames.delete(id)
    clearTimeout(frame?.announcement)
    await frame?.server.close()
    return frame !== undefined
  }

  return {
    async open({ target, space, mode = 'browser', port = 0 }) {
      const url = usableTarget(target, policy)
      if (frames.size + opening >= mostFrames) {
        throw new Refusal('overloaded', `The limit of ${mostFrames} frames is reached: close one.`)
      }
      opening += 1
      opened += 1
      const id = `frame-${opened}`
      try {
        const server = await serve(id, port)
        const jar = createCookieJar()
        jar.begin(mode)
        const frame: Open = {
          id,
          target: url.href,
          ...omitUndefined({ space }),
          mode,
          port: server.port,
          openedAt: clock.now(),
          callCount: 0,
          server,
          jar,
          placeOf: createPlaces(),
          calls: [],
          signIns: [],
          problems: new Set(),
          announcement: undefined,
        }
        frames.set(id, frame)
        bus.emit('frame.changed', { frameId: id })
        return publicPart(frame)
      } catch (error) {
        throw unusablePort(port, error)
      } finally {
        opening -= 1
      }
    },
    list: () => Array.from(frames.values(), publicPart),
    get(id) {
      const frame = frames.get(id)
      return frame && publicPart(frame)
    },
    findings(id) {
      const frame = frames.get(id)
      return (
        frame && {
          cookies: frame.jar.describe(),
          calls: frame.calls.toReversed(),
          problems: [...frame.problems],
        }
      )
    },
    setMode(id, mode) {
      const frame = frames.get(id)
      if (frame === undefined) return undefined
      frame.mode = mode
      frame.jar.begin(mode)
      frame.problems.clear()
      bus.emit('frame.changed', { frameId: id })
      return publicPart(frame)
    },
    async close(id) {
      const existed = await close(id)
      if (existed) bus.emit('frame.changed', { frameId: id })
      return existed
    },
    signInCalls: () =>
      Array.from(frames.values(), ({ signIns }) => signIns)
        .flat()
        .toSorted((one, other) => one.receivedMs - other.receivedMs),
    forgetCalls() {
      for (const { calls, signIns, problems } of frames.values()) {
        calls.length = 0
        signIns.length = 0
        problems.clear()
      }
    },
    async clear() {
      await Promise.all(Array.from(frames.keys(), close))
    },
  }
}

function publicPart(frame: Open): Frame {
  const { id, target, space, mode, port, openedAt, callCount } = frame
  return { id, target, ...omitUndefined({ space }), mode, port, openedAt, callCount }
}

function put(list: FrameCall[], call: FrameCall): void {
  const at = list.findLastIndex(({ id }) => id === call.id)
  if (at >= 0) list[at] = call
  else list.push(call)
  if (list.length > mostCalls) list.shift()
}

/** Parameters of a redirect of the Hub, whose URLs are short. */
function callbackOf(url: string): FrameCall['callback'] {
  if (url.length > longestUrl) return undefined
  const query = queryPartOf(url)
  const [code, state] = ['code', 'state'].map((name) => query.get(name) ?? undefined)
  return code === undefined && !query.has('error') ? undefined : omitUndefined({ code, state })
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** @throws {Refusal} `invalid` */
function usableTarget(target: string, policy: TargetPolicy): URL {
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Refusal(
      'invalid',
      `${target} is not an http or https URL. Give the URL of your app, such as http://localhost:7860.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('invalid', 'Remove the user name and password from the URL of the app.')
  }
  const problem = findTargetProblem(url, policy)
  if (problem !== undefined) throw new Refusal('invalid', problem.replaceAll('receiver', 'app'))
  url.hash = ''
  return url
}

function unusablePort(port: number, error: unknown): Error {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') {
    return new Refusal('conflict', `Port ${port} is in use by another program. Use another one.`)
  }
  if (code === 'EACCES') {
    return new Refusal('conflict', `This user is not allowed to listen on port ${port}.`)
  }
  return error instanceof Error ? error : new Error(messageOf(error))
}
