import { isoTime } from '../../../core/time.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { PublisherItem } from '../../../contract/control-publishers.ts'
import { setUpCiJob, resourceOf } from './job.ts'
import { trustedIssuers } from './issuers.ts'
import { mintCiToken } from './mint.ts'
import { changePublisher, createPublisher, findTarget, publishersOf } from './publishers.ts'
import type { TrustedPublisher } from '../../../store/entities/oauth-entities.ts'
import { control, type ControlRoutes } from '../../../web/control-route.ts'
import { deletePublisher } from '../../access/revoke-token.ts'
import type { HubServices } from '../../services.ts'
import { pageOf } from '../../../web/page.ts'
import { isoMember, type ViewDeps } from '../../access/refs.ts'

/** Trusted publishers, and the CI provider that the sandbox itself is. */
export const publisherRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  const { state } = deps
  const describe = (publisher: TrustedPublisher) => describePublisher(deps, publisher)

  control(app, 'GET trusted-publishers', async ({ query }) => {
    const { resource } = query
    const publishers =
      resource === undefined
        ? state.trustedPublishers.values()
        : publishersOf(
            deps,
            asked(() => findTarget(deps, resource)),
          )
    return pageOf(publishers, query, ({ id }) => id, describe)
  })
  control(app, 'POST trusted-publishers', async ({ body: { resource, ...fields } }) =>
    describe(
      createPublisher(
        deps,
        asked(() => findTarget(deps, resource)),
        fields,
      ),
    ),
  )
  control(app, 'GET trusted-publishers/:id', async ({ params: { id } }) =>
    describe(requirePublisher(deps, id)),
  )
  control(app, 'PATCH trusted-publishers/:id', async ({ params: { id }, body }) =>
    describe(changePublisher(deps, requirePublisher(deps, id), body)),
  )
  control(app, 'DELETE trusted-publishers/:id', async ({ params: { id } }) => {
    deletePublisher(deps, requirePublisher(deps, id))
    return {}
  })

  control(app, 'POST ci/tokens', async ({ body }) => mintCiToken(deps, body))
  control(app, 'POST ci/jobs', async ({ body }) => setUpCiJob(deps, body))
}

/** Turns the OAuth error about a resource into one about the field of this API. */
function asked<T>(find: () => T): T {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('invalid', error.message, {
      issues: [{ path: 'resource', message: error.message }],
    })
  }
}

function requirePublisher({ state }: Pick<ViewDeps, 'state'>, id: string): TrustedPublisher {
  const publisher = state.trustedPublishers.get(id)
  if (publisher !== undefined) return publisher
  throw new Refusal('not_found', `No trusted publisher has the id ${id}.`)
}

function describePublisher(deps: ViewDeps, publisher: TrustedPublisher): PublisherItem {
  const { id, name, provider, issuer, claims, disabled = false, createdAt, lastUsedAt } = publisher
  return {
    id,
    resource: resourceOf(deps.state, publisher) ?? 'deleted',
    name,
    provider,
    ...omitUndefined({ issuer }),
    issuers: trustedIssuers(deps.settings, publisher),
    claims,
    disabled,
    createdAt: isoTime(createdAt),
    ...isoMember('lastUsedAt', lastUsedAt),
  }
}
