import { setTimeout as sleep } from 'node:timers/promises'
import { formatDuration } from '../../core/duration.ts'
import { openExchange } from '../../network/exchange.ts'
import { classifyNetworkError } from '../../network/network-errors.ts'
import { resolveHost } from '../../network/resolve-host.ts'
import {
  BlockedTargetError,
  blockedWithoutResolver,
  type TargetPolicy,
} from '../../network/target.ts'
import { CommandError } from '../command-error.ts'

const timeoutMs = 60_000
/** A server that takes a connection and says nothing is asked again after this. */
const answerMs = 5000
const pauseMs = 100

/** Statuses of a server that is up: it answers, leads elsewhere, or asks for more. A 404 may yet become a page. */
const isUp = (status: number) => status < 404

/**
 * The addresses of `--wait-for`.
 * @throws {CommandError} with exit code 2
 */
export function addressesToWaitFor(
  texts: readonly string[],
  { allowNetwork }: Pick<TargetPolicy, 'allowNetwork'>,
): URL[] {
  return texts.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw usage(`--wait-for must be an address such as http://localhost:3000, not ${text}.`)
    }
    const problem = blockedWithoutResolver(url, policyOf({ allowNetwork }))
    if (problem !== undefined) throw usage(`--wait-for ${text}: ${problem}.`)
    return url
  })
}

/**
 * Waits until a server answers at each of the addresses, whatever its certificate.
 * @throws {CommandError} naming the address and what it said last
 */
export async function waitFor(
  urls: readonly URL[],
  {
    allowNetwork,
    interrupted,
    tell,
    withinMs = timeoutMs,
  }: {
    allowNetwork: boolean
    interrupted: AbortSignal
    /** Told of what is not there yet. */
    tell: (line: string) => void
    withinMs?: number
  },
): Promise<void> {
  const policy = policyOf({ allowNetwork })
  const deadline = performance.now() + withinMs
  await Promise.all(
    urls.map(async (url) => {
      let last: string | undefined
      while (performance.now() < deadline) {
        const leftMs = Math.ceil(deadline - performance.now())
        const status = await ask(url, policy, { interrupted, leftMs })
        if (typeof status === 'number' && isUp(status)) return
        if (last === undefined) tell(`Waiting for ${url.href}`)
        last = typeof status === 'number' ? `it answered ${status}` : status
        await sleep(pauseMs, undefined, { signal: interrupted })
      }
      const patience = formatDuration(withinMs)
      throw new CommandError(`${url.href} was not there within ${patience}: ${last}.`)
    }),
  )
}

/** @returns the status, or why there is none */
async function ask(
  url: URL,
  policy: TargetPolicy,
  { interrupted, leftMs }: { interrupted: AbortSignal; leftMs: number },
): Promise<number | string> {
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
    return status ?? classifyNetworkError(error).message
  } finally {
    interrupted.removeEventListener('abort', stop)
  }
  return status ?? 'there was no answer'
}

function policyOf({ allowNetwork }: Pick<TargetPolicy, 'allowNetwork'>): TargetPolicy {
  return {
    allowNetwork,
    // The sandbox itself may be waited for.
    ownPorts: () => [],
    resolve: resolveHost,
  }
}

function usage(message: string): CommandError {
  return new CommandError(message, { exitCode: 2 })
}
