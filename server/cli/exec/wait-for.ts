import { setTimeout as sleep } from 'node:timers/promises'
import { formatDuration } from '../../core/duration.ts'
import { DeadlineError } from '../../web/outgoing/deadline-error.ts'
import { openExchange } from '../../web/outgoing/open-exchange.ts'
import { classifyNetworkError } from '../../web/outgoing/network-errors.ts'
import { resolveHost } from '../../web/outgoing/resolve-host.ts'
import {
  BlockedTargetError,
  blockedWithoutResolver,
  type TargetPolicy,
} from '../../web/outgoing/target-policy.ts'
import { CommandError } from '../command-error.ts'

const timeoutMs = 60_000
/** Time without a response after which the request is repeated. */
const answerMs = 5000
const pauseMs = 100

/** Statuses of a ready server: success, redirect or missing credentials. A 404 may still become a page. */
const isUp = (status: number) => status < 404

/**
 * Parses the URLs of `--wait-for`.
 * @throws {CommandError} with exit code 2
 */
export function addressesToWaitFor(
  texts: readonly string[],
  { allowNetwork }: Pick<TargetPolicy, 'allowNetwork'>,
): URL[] {
  return texts.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw usage(`--wait-for must be a URL such as http://localhost:3000, not ${text}.`)
    }
    const problem = blockedWithoutResolver(url, policyOf({ allowNetwork }))
    if (problem !== undefined) throw usage(`--wait-for ${text}: ${problem}.`)
    return url
  })
}

/**
 * Waits until a server responds at each URL, whatever its certificate.
 * @throws {CommandError} with the URL and the last result
 */
export async function waitFor(
  urls: readonly URL[],
  {
    allowNetwork,
    interrupted,
    print,
    withinMs = timeoutMs,
  }: {
    allowNetwork: boolean
    interrupted: AbortSignal
    /** Reports URLs that do not respond yet. */
    print: (line: string) => void
    withinMs?: number
  },
): Promise<void> {
  const policy = policyOf({ allowNetwork })
  const deadline = performance.now() + withinMs
  await Promise.all(
    urls.map(async (url) => {
      let last: string | undefined
      let isAnnounced = false
      while (performance.now() < deadline) {
        const leftMs = Math.ceil(deadline - performance.now())
        const status = await ask(url, policy, { interrupted, leftMs })
        if (typeof status === 'number' && isUp(status)) return
        if (!isAnnounced) print(`Waiting for ${url.href}`)
        isAnnounced = true
        // The end of the wait aborts the last request, so the one before it explains more.
        if (status !== undefined) last = typeof status === 'number' ? `status ${status}` : status
        await sleep(pauseMs, undefined, { signal: interrupted })
      }
      const patience = formatDuration(withinMs)
      throw new CommandError(
        `${url.href} did not respond within ${patience}: ${last ?? 'no response'}.`,
      )
    }),
  )
}

/** @returns the status, the reason for a missing one, or `undefined` if the wait ended before either */
async function ask(
  url: URL,
  policy: TargetPolicy,
  { interrupted, leftMs }: { interrupted: AbortSignal; leftMs: number },
): Promise<number | string | undefined> {
  interrupted.throwIfAborted()
  let status: number | undefined
  const exchange = openExchange(
    {
      url,
      method: 'GET',
      headers: { host: url.host, accept: 'text/html, */*', connection: 'close' },
      deadlineMs: Math.min(answerMs, leftMs),
      acceptSelfSigned: true,
    },
    policy,
    {
      onHead(response) {
        status = response.statusCode
        response.resume()
        exchange.abort(new Error('nothing more is wanted'))
      },
    },
  )
  const stop = () => exchange.abort(interrupted.reason as Error)
  interrupted.addEventListener('abort', stop)
  try {
    await exchange.done
  } catch (error) {
    interrupted.throwIfAborted()
    if (error instanceof BlockedTargetError)
      throw usage(`--wait-for ${url.href}: ${error.message}.`)
    if (status !== undefined) return status
    if (error instanceof DeadlineError && leftMs < answerMs) return undefined
    return classifyNetworkError(error).message
  } finally {
    interrupted.removeEventListener('abort', stop)
  }
  return status ?? 'no response'
}

function policyOf({ allowNetwork }: Pick<TargetPolicy, 'allowNetwork'>): TargetPolicy {
  return {
    allowNetwork,
    // The URL may be that of the sandbox itself.
    ownPorts: () => [],
    resolve: resolveHost,
  }
}

function usage(message: string): CommandError {
  return new CommandError(message, { exitCode: 2 })
}
