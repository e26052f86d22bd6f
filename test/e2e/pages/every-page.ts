import type { Sandbox } from '../../../server/index.ts'
import { longest } from '../busy-sandbox.ts'

/** Pages of the dashboard that have one address each, whatever the sandbox holds. */
export const fixedPages = [
  '/',
  '/activity',
  '/connect',
  '/sign-ins',
  '/tokens',
  '/devices',
  '/apps',
  '/consents',
  '/publishers',
  '/agents',
  '/space-frames',
  '/requests',
  '/deliveries',
  '/webhooks',
  '/issues',
  '/webhooks?new',
  '/jobs',
  '/scheduled-jobs',
  '/scheduled-jobs?new',
  '/collections',
  '/collections?new',
  '/inference',
  '/inference?view=rules',
  '/endpoints',
  '/endpoints?new',
  '/people',
  '/people?view=organizations',
  '/people/alice',
  '/people/nobody',
  '/audit-log',
  '/audit-log?organization=acme',
  '/repos',
  '/findings',
  '/findings/rules/token/refresh-race',
  '/findings/modules/id-token/nonce',
  '/experiments',
  '/faults',
  '/audits',
  '/settings',
  '/snapshots/before',
] as const

interface Items {
  items: { id: string; clientId?: string; name?: string }[]
}

/** The address of something that the sandbox holds, by what it is; of a busy sandbox, with a snapshot `before`. */
export async function pagesOfThings(sandbox: Sandbox): Promise<Record<string, string>> {
  const list = async (path: string) => (await sandbox.control<Items>('GET', path)).items
  const [apps, repos, tokens, webhooks, flows, deliveries, collections, endpoints] =
    await Promise.all(
      [
        'apps',
        'repos',
        'tokens',
        'webhooks',
        'flows',
        'deliveries',
        'collections',
        'inference-endpoints',
      ].map(list),
    )
  const calls = await list('requests?q=kind:inference')
  const app = apps?.find(({ name }) => name === longest.appName)
  const repo = repos?.find(({ name }) => name === longest.repo)
  return {
    app: `/apps/${app?.clientId}`,
    'app-sign-ins': `/apps/${app?.clientId}?tab=sign-ins`,
    'app-audit': `/apps/${app?.clientId}?tab=tests`,
    'app-settings': `/apps/${app?.clientId}?tab=settings`,
    repo: `/repos?open=${repo?.id}`,
    bucket: `/repos/bucket/${longest.repo}`,
    token: `/tokens/${tokens?.[0]?.id}`,
    'webhook-panel': `/webhooks?open=${webhooks?.[0]?.id}`,
    webhook: `/webhooks/${webhooks?.[0]?.id}/activity?view=statistics`,
    files: `/repos/dataset/${longest.repo}?view=files`,
    'sign-in': `/sign-ins/${flows?.at(-1)?.id}`,
    collection: `/collections/${collections?.[0]?.id}`,
    'collection-of-another': `/collections/${collections?.[0]?.id}?as=bob`,
    endpoint: `/endpoints/${endpoints?.[0]?.id}`,
    'inference-request': `/inference/${calls[0]?.id}`,
    delivery: `/deliveries/${deliveries?.[0]?.id}`,
  }
}
