import { randomUUID } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished, expect, test } from 'vitest'
import { controlToolList } from '../../server/lab/mcp/control-tools.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const program = new URL('../../dist/server/cli.cjs', import.meta.url).pathname

/** An agent with `hub-sandbox mcp` as its server. */
async function startAgent(args: readonly string[]) {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    stderr: 'ignore',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given })
    return { text: (content as { text: string }[])[0]?.text ?? '', isError }
  }
  return { client, call }
}

/** An app that has a mistake in its settings: the redirect URI is not registered. */
async function startApp(issuer: string, clientId: string, clientSecret: string) {
  const answered: unknown[] = []
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const redirectUri = `http://localhost:${port}/done`
    const url = new URL(request.url ?? '/', redirectUri)
    if (url.pathname === '/login') {
      const asked = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code' }
      const bound = { scope: 'openid profile', state: 'a', nonce: randomUUID() }
      const query = new URLSearchParams({ ...asked, ...bound })
      response.writeHead(302, { location: `${issuer}/oauth/authorize?${query.toString()}` }).end()
      return
    }
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
    })
    void fetch(`${issuer}/oauth/token`, { method: 'POST', body })
      .then((answer) => answer.json())
      .then((tokens) => {
        answered.push(tokens)
        response.end('done')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, answered }
}

test('an agent repairs the sign-in of a broken app', { timeout: 60_000 }, async () => {
  const sandbox = await startTestSandbox()
  const { clientId, clientSecret = '' } = defaultApps(sandbox).confidential
  const app = await startApp(sandbox.url, clientId, clientSecret)
  const { client, call } = await startAgent(['--url', sandbox.url])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(controlToolList.map(({ name }) => name))

  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  const asked = Object.fromEntries(new URL(login.headers.get('location')!).searchParams)
  const refused = await call('sign_in', { ...asked, user: 'alice' })
  expect(refused.isError).toBe(true)

  const { text: why } = await call('last_refusal')
  const [, id] = /"flowId":"([^"]+)"/.exec(why)!
  const [, fix] = /"fix":"([^"]+)"/.exec(why)!
  expect((await call('apply_fix', { id, fix })).isError).toBe(false)

  const passed = await call('sign_in', { ...asked, user: 'alice' })
  const [, back] = /^The app gets (\S+)/.exec(passed.text)!
  expect(await (await fetch(back!)).text()).toBe('done')
  expect(app.answered).toEqual([expect.objectContaining({ token_type: 'bearer' })])
})

test('the server names the sandbox that it cannot reach', async () => {
  const { call } = await startAgent(['--url', 'http://localhost:9'])
  expect(await call('list_apps')).toMatchObject({
    isError: true,
    text: expect.stringContaining('http://localhost:9'),
  })
})
