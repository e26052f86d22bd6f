import http from 'node:http'
import https from 'node:https'
import { json } from 'node:stream/consumers'
import { ownCommand } from './config/own-command.ts'
import { isObject } from '../core/is-object.ts'
import { commandText } from '../core/shell-words.ts'

/** Timeout: a sandbox responds within milliseconds unless the machine is busy, other programs may never respond. */
const answerMs = 3000

/**
 * Finds the sandbox that uses a port.
 * @returns its URL, and a sentence with the fixes on the command line; `undefined` when another program uses the port
 */
export async function sandboxAt(
  host: string,
  port: number,
): Promise<{ url: string; advice: string } | undefined> {
  // Not with port 0, for which any port is suitable.
  if (port === 0) return undefined
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const answers = await Promise.all([http, https].map((client) => isSandbox(client, name, port)))
  const at = answers.indexOf(true)
  if (at === -1) return undefined
  const url = `${at === 0 ? 'http' : 'https'}://localhost:${port}`
  const stop = commandText([...ownCommand(), 'stop', '--url', url])
  const advice = `A sandbox runs at ${url} already (port ${port} on ${host}). Use that one, stop it with "${stop}", or choose another port with --port (0 = any free one).`
  return { url, advice }
}

function isSandbox(
  client: Pick<typeof https, 'request'>,
  host: string,
  port: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const request = client.request(
      {
        host,
        port,
        path: '/_sandbox/health',
        headers: { host: `localhost:${port}` },
        agent: false,
        rejectUnauthorized: false,
        signal: AbortSignal.timeout(answerMs),
      },
      (response) => {
        json(response).then(
          (body) => resolve(isObject(body) && body['status'] === 'ok'),
          () => resolve(false),
        )
      },
    )
    request.on('error', () => resolve(false))
    request.end()
  })
}
