import { connect } from 'node:net'
import { type Act, type Client, expectStatus } from './client.ts'

const refused: Act = async (client) => {
  const path = `/nothing/${client.newName('here')}?q=${'x'.repeat(500)}`
  expectStatus(await client.request('GET', path), [404])
  expectStatus(
    await client.request('GET', '/oauth/userinfo', { token: client.newName('no') }),
    [401],
  )
  const form = { grant_type: 'authorization_code', code: client.newName('code') }
  expectStatus(await client.request('POST', '/oauth/token', { form }), [400, 401])
  expectStatus(await client.request('POST', '/_sandbox/api/events', { json: [1, 2] }), [400])
  const headers = { host: 'evil.example', origin: 'http://evil.example' }
  await client.request('POST', '/_sandbox/api/reset', { headers: { origin: headers.origin } })
}

/** Bytes on a connection, with the answer unread or half read. */
async function send(client: Client, bytes: string, waitMs: number): Promise<void> {
  await client.turn()
  const { hostname, port } = new URL(client.url)
  const socket = connect(Number(port), hostname)
  // Being cut off is one of the answers to rubbish.
  socket.on('error', () => {})
  socket.write(bytes)
  await new Promise<void>((resolve) => setTimeout(resolve, waitMs))
  socket.destroy()
}

const garbage: Act = async (client) => {
  const head = `Host: ${new URL(client.url).host}\r\n`
  await send(client, '\u0000\u0001 not HTTP at all\r\n\r\n', 50)
  await send(client, `GET /api/whoami-v2 HTTP/1.1\r\n${head}`, 500)
  await send(client, `POST /oauth/token HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\nx`, 500)
  await send(client, `GET /_sandbox/api/requests?follow=true HTTP/1.1\r\n${head}\r\n`, 300)
  await send(client, `GET /_sandbox/live HTTP/1.1\r\n${head}Upgrade: websocket\r\n\r\n`, 50)
}

export const mistakes: Record<string, Act> = { refused, garbage }
