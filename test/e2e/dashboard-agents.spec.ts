import type { MetadataDocumentList } from '../../server/contract/control-apps.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ dashboard: Dashboard }>({
  dashboard: async ({ page, sandbox }, provide) => {
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open('/agents')
    await provide(dashboard)
  },
})

test('the page has the configuration of clients and agents for this sandbox', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const clients = dashboard.panel('Connect an MCP client')
  await expect(clients).toContainText(
    `claude mcp add --transport http hub '${sandbox.url}/mcp?login'`,
  )
  await clients.getByRole('button', { name: 'VS Code' }).click()
  const configuration = clients.getByLabel('Configuration of VS Code')
  expect(JSON.parse((await configuration.textContent()) ?? '')).toEqual({
    servers: { hub: { type: 'http', url: `${sandbox.url}/mcp?login` } },
  })
  await expect(clients.getByRole('row', { name: /hub_open_discussion/ })).toContainText(
    'write-discussions',
  )
  const agents = dashboard.panel('Connect a coding agent')
  await expect(agents).toContainText(/claude mcp add hub-sandbox -- .*hub-sandbox mcp/)
  await expect(agents).toContainText(/hub-sandbox init --agent/)
  await agents.getByRole('button', { name: 'HTTP' }).click()
  await expect(agents).toContainText(`${sandbox.url}/_sandbox/mcp`)
  await expect(page.getByText('No calls yet')).toBeVisible()
})

test('calls appear with the reason of a refusal', async ({ dashboard, sandbox }) => {
  const call = (path: string) =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  expect((await call('/mcp')).status).toBe(200)
  expect((await call('/mcp?login')).status).toBe(401)
  const calls = dashboard.panel('Last calls').getByRole('listitem')
  await expect(calls).toHaveCount(2)
  await expect(calls.first()).toContainText(/401.*POST \/mcp\?login.*anonymous/)
  await expect(calls.first()).toContainText('Sign in to use this MCP server.')
  await calls.first().getByRole('link').click()
  await expect(dashboard.page).toHaveURL(/\/requests\//)
})

const url = 'https://client.example/.well-known/oauth-cimd'
const valid = {
  client_id: url,
  client_name: 'Client',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
}
const asFile = (document: object) => ({
  name: 'client.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(document, null, 2)),
})

test('a metadata document is checked line by line, served and removed', async ({
  dashboard,
  page,
  sandbox,
}) => {
  const panel = dashboard.panel('Client metadata documents')
  const input = panel.getByLabel('Client metadata document', { exact: true })
  const { token_endpoint_auth_method: _method, ...incomplete } = valid
  await input.setInputFiles(asFile({ ...incomplete, client_secret: 'x' }))
  const problems = panel.getByRole('list', { name: 'Problems' }).getByRole('listitem')
  await expect(problems).toHaveCount(2)
  await expect(problems.first()).toContainText('Line 1, column 1')
  await expect(problems.first()).toContainText('Fix: Set "token_endpoint_auth_method" to "none"')
  await expect(problems.last()).toContainText('Line 7, column 3')

  // A file that is dropped takes the same way.
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer()
    data.items.add(new File([text], 'client.json', { type: 'application/json' }))
    return data
  }, JSON.stringify(valid))
  await panel.getByText('Drop a JSON file here').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(panel).toContainText('The Hub accepts this document.')
  await panel.getByRole('button', { name: 'Serve document' }).click()
  const served = panel.getByRole('list', { name: 'Served documents' })
  await expect(served).toContainText(url)
  await expect(panel.getByRole('button', { name: 'Replace document' })).toBeVisible()
  const list = () => sandbox.control<MetadataDocumentList>('GET', 'client-metadata-documents')
  expect((await list()).items).toEqual([{ url, document: valid }])

  await served.getByRole('button', { name: `Stop serving ${url}` }).click()
  await expect(served).toHaveCount(0)
  expect((await list()).items).toEqual([])
})

test('a file that is not JSON, or too large, is not served', async ({ dashboard, page }) => {
  const panel = dashboard.panel('Client metadata documents')
  const input = panel.getByLabel('Client metadata document', { exact: true })
  const file = (text: string) => ({
    name: 'client.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })
  await input.setInputFiles(file('{\n  "client_name": "x",\n}'))
  await expect(panel).toContainText('Line 3, column 1')
  await expect(panel).toContainText('it is not valid JSON: expected a name in double quotes')
  await expect(panel.getByRole('button', { name: 'Serve document' })).toHaveCount(0)
  await input.setInputFiles(file('x'.repeat(300_000)))
  await expect(page.getByRole('alert')).toContainText('the Hub reads at most 5 KB')
})
