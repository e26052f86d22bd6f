import { describe, expect, test } from 'vitest'
import { webhookAt } from '../helpers/json-receiver.ts'
import type { AppItem } from '../../server/contract/control-apps.ts'
import type { DeliveryList } from '../../server/contract/control-deliveries.ts'
import type { RequestList } from '../../server/contract/control-requests.ts'
import type { Sandbox } from '../../server/index.ts'
import { startTestSandbox, errorOf } from '../helpers/sandbox.ts'

const refusal = (sandbox: Sandbox, path: string) => errorOf(sandbox.control('GET', path))

describe('a filter of a list', () => {
  test.each([
    ['deliveries?webhookId=nope', 'webhookId', 'There is no webhook nope.'],
    ['deliveries?webhookId=nope&follow=1', 'webhookId', 'There is no webhook nope.'],
    [
      'deliveries?repo=acme/corpsu',
      'repo',
      'There is no repo acme/corpsu (did you mean "acme/corpus"?).',
    ],
    [
      'deliveries?scope=repo.contents',
      'scope',
      'Unknown scope repo.contents: use one of repo, repo.content, repo.config, discussion, discussion.comment.',
    ],
    ['deliveries?scope=models.*', 'scope', 'Unknown scope models.*: use one of repo, '],
    ['deliveries?q=webhook:nope', 'q', 'Unknown webhook "nope" at character 1: there is none.'],
    ['requests?method=FETCH', 'method', 'Unknown method FETCH.'],
    ['requests?route=oauth/token', 'route', 'A route is a path: use /oauth/token in place of'],
    ['requests?route=/oauth/tokne', 'route', 'Unknown path /oauth/tokne (did you mean'],
    ['requests?route=/oauth/token?a=b', 'route', 'A route is a path without its query: use'],
    ['requests?route=/_sandbox/*', 'route', '/_sandbox/* is a path of the sandbox itself'],
    [
      'requests?method=DELETE&route=/api/whoami-v2',
      'method',
      'No route /api/whoami-v2 has the method DELETE: use GET.',
    ],

    ['requests?clientId=nope', 'clientId', 'There is no app nope.'],
    ['requests?clientId=nope&follow=1', 'clientId', 'There is no app nope.'],
    ['requests?flowId=nope', 'flowId', 'There is no sign-in nope: the log drops the oldest ones.'],
    ['tokens?clientId=nope', 'clientId', 'There is no app nope.'],
    ['advice?clientId=nope', 'clientId', 'There is no app nope.'],
    ['advice?clientId=nope&run=1', 'clientId', 'There is no app nope.'],
    ['advice/report?format=text&clientId=nope', 'clientId', 'There is no app nope.'],
    ['advice?webhookId=nope', 'webhookId', 'There is no webhook nope.'],
    ['jobs?namespace=acm', 'namespace', 'There is no user or organization acm (did you mean'],
    ['scheduled-jobs?namespace=nope', 'namespace', 'There is no user or organization nope.'],
    ['inference-endpoints?namespace=nope', 'namespace', 'There is no user or organization nope.'],
    ['collections?owner=nope', 'owner', 'There is no user or organization nope.'],
  ])('refuses a value that nothing can have: %s', async (path, parameter, message) => {
    const sandbox = await startTestSandbox()
    expect(await refusal(sandbox, path)).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
      issues: [{ path: parameter }],
    })
  })

  test('takes values that nothing has yet', async () => {
    const sandbox = await startTestSandbox()
    for (const path of [
      'deliveries?repo=acme/corpus',
      'deliveries?repo=datasets/ACME/corpus',
      'deliveries?scope=discussion.*',
      'requests?method=get',
      'requests?route=/oauth/*',
      'requests?route=/api/of/tomorrow',
      `requests?clientId=${encodeURIComponent('https://app.example/client.json')}`,
      'scheduled-jobs?namespace=LABS',
    ]) {
      expect(await sandbox.control('GET', path)).toMatchObject({ items: [] })
    }
  })

  test('takes what was deleted as long as the log has it', async () => {
    const sandbox = await startTestSandbox()
    const webhook = await sandbox.control<{ id: string }>(
      'POST',
      'webhooks',
      webhookAt('http://127.0.0.1:9/'),
    )
    const app = await sandbox.control<AppItem>('POST', 'apps', { name: 'Short-lived' })
    await fetch(`${sandbox.url}/oauth/tokne?client_id=${app.clientId}`)
    await fetch(`${sandbox.url}/oauth/authorize?client_id=${app.clientId}`)
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.control('DELETE', `webhooks/${webhook.id}`)
    await sandbox.control('DELETE', `apps/${app.clientId}`)
    await sandbox.control('DELETE', 'repos/datasets/acme/corpus')

    for (const filter of [`webhookId=${webhook.id}`, 'repo=acme/corpus']) {
      const list = await sandbox.control<DeliveryList>('GET', `deliveries?${filter}`)
      expect(list.items.map(({ webhookId }) => webhookId)).toContain(webhook.id)
    }
    for (const filter of [`clientId=${app.clientId}`, 'route=/oauth/tokne']) {
      const list = await sandbox.control<RequestList>('GET', `requests?${filter}`)
      expect(list.items.length).toBeGreaterThan(0)
    }
  })
})
