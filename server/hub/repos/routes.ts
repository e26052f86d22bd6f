import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { CreateRepoBody } from '../../contract/hub-repos.ts'
import type { AnyRepoType, Encoding } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import { openRepo, permit } from '../access/access.ts'
import type { RepoAction } from '../access/access-rules.ts'
import { permitNewRepo, requireNamespace } from '../access/namespaces.ts'
import {
  createRepo,
  type CreateRepoInput,
  deleteRepo,
  duplicateRepo,
  moveRepo,
  updateRepoSettings,
} from './repos.ts'
import type { SpaceOptions } from './space-options.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { noteSecrets } from '../http/secret-values.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { clientOf, visibilityOf, webUrl, withOwnOrigin } from '../http/new-repos.ts'

/** Includes the first files of a repo. */

/** Creation, change and deletion of repos. */
export const hubRepoRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(
    app,
    'POST /api/repos/create',
    (request) => {
      const input = newRepoOf(deps, request, request.body)
      const repo = withOwnOrigin(request, () => createRepo(deps, input))
      return { url: webUrl(request, repo), name: repo.name, id: repo.id }
    },
    { config: { noteBody: noteSecrets } },
  )

  hub(app, 'DELETE /api/repos/delete', (request, reply) => {
    const { type = 'model', name, organization } = request.body
    const { user } = signedIn(request)
    const fullName = `${organization ?? user.username}/${name}`
    const repo = requireRepoNow(deps, request, { type, name: fullName, action: 'repo.delete' })
    deleteRepo(deps, { repo, actorId: user.id })
    return reply.type('text/plain; charset=utf-8').send('OK')
  })

  hub(app, 'POST /api/repos/move', (request) => {
    const { fromRepo, toRepo, type = 'model' } = request.body
    const { principal } = request
    const repo = requireRepoNow(deps, request, { type, name: fromRepo, action: 'repo.move' })
    const owner = requireNamespace(deps, namespaceOf(toRepo))
    permit(deps, principal, { action: 'repo.move', repo, toOwnerId: owner.id })
    if (owner.id !== repo.ownerId) {
      permit(deps, principal, { action: 'repo.move-into', ownerId: owner.id })
    }
    const actorId = signedIn(request).user.id
    withOwnOrigin(request, () => moveRepo(deps, { repo, toName: toRepo, actorId }))
    return {}
  })

  hub(app, 'PUT /api/:repo/settings', (request) => {
    const { repo, body } = request
    const { visibility: _visibility, private: _private, gated, ...more } = body
    const changes = {
      ...visibilityOf(body),
      ...omitUndefined({ gated }),
      ...(Object.keys(more).length > 0 && { settings: { ...repo.settings, ...more } }),
    }
    const actorId = signedIn(request).user.id
    const changed = updateRepoSettings(deps, { repo, settings: changes, actorId })
    const { visibility, settings } = changed
    return { private: visibility !== 'public', visibility, gated: changed.gated, ...settings }
  })

  hub(
    app,
    'POST /api/:repo/duplicate',
    (request) => {
      const { repo, body, principal } = request
      const owner = requireNamespace(deps, namespaceOf(body.repository))
      const group = groupOf(body)
      permit(deps, principal, { action: 'repo.create', ownerId: owner.id, ...group })
      const input = { repo, toName: body.repository, ...group, ...sharedOptions(request, body) }
      const copy = withOwnOrigin(request, () => duplicateRepo(deps, input))
      return { url: webUrl(request, copy) }
    },
    { config: { noteBody: noteSecrets } },
  )
}

function newRepoOf(deps: Deps, request: FastifyRequest, body: CreateRepoBody): CreateRepoInput {
  const { type = 'model', name, organization } = body
  if (type === 'kernel') {
    throw new Refusal('not_emulated', 'Kernels are not emulated by this sandbox.')
  }
  const group = groupOf(body)
  const namespace = organization ?? signedIn(request).user.username
  const owner = permitNewRepo(deps, request.principal, { type, namespace, ...group })
  return {
    type,
    name: `${owner.name}/${name}`,
    ...group,
    ...sharedOptions(request, body),
    ...(type === 'space' ? omitUndefined({ sdk: body.sdk, template: body.template }) : {}),
    ...omitUndefined({ region: body.region, license: body.license }),
    card: cardOf(body),
    files: (body.files ?? []).map((file) => ({
      kind: 'add',
      path: file.path,
      content: bytesOf(file),
    })),
  }
}

/** Returns what the metadata of the first README.md says beside title, SDK and license. */
function cardOf(body: CreateRepoBody): Record<string, string> {
  const { type, license_name, license_link, short_description, sdkVersion } = body
  return omitUndefined({
    license_name,
    license_link,
    ...(type === 'space' && { short_description, sdk_version: sdkVersion ?? undefined }),
  })
}

/** Options that a new repo and a duplicate have in common. */
function sharedOptions(
  request: FastifyRequest,
  body: Pick<CreateRepoBody, 'visibility' | 'private' | keyof SpaceOptions>,
) {
  return {
    actorId: signedIn(request).user.id,
    ...visibilityOf(body),
    space: spaceOptionsOf(body),
    ...omitUndefined({ creatorClientId: clientOf(request.principal) }),
  }
}

/** Finds a repo that a body names. A body cannot be redirected, so a former name is unknown. */
function requireRepoNow(
  deps: Deps,
  { principal, root }: FastifyRequest,
  named: { type: AnyRepoType; name: string; action: RepoAction },
): Repo {
  const { repo, moved } = openRepo(deps, principal, { ...named, root })
  if (!moved) return repo
  throw new Refusal('not_found', 'Repository not found', {
    hubError: 'RepoNotFound',
    detail: `it is now called ${repo.name}`,
  })
}

function namespaceOf(fullName: string): string {
  return fullName.split('/')[0] ?? ''
}

function groupOf({ resourceGroupId }: { resourceGroupId?: string | null }) {
  return omitUndefined({ resourceGroupId: resourceGroupId ?? undefined })
}

/** @throws {Refusal} `invalid` for malformed base64, which Node would decode in part */
function bytesOf(file: { path: string; content: string; encoding?: Encoding }): Buffer {
  const { path, content, encoding = 'utf-8' } = file
  const bytes = Buffer.from(content, encoding)
  if (encoding === 'base64' && bytes.toString('base64') !== content) {
    throw new Refusal('invalid', `The content of ${path} is not base64`)
  }
  return bytes
}

function spaceOptionsOf(body: Pick<CreateRepoBody, keyof SpaceOptions>): SpaceOptions {
  const { hardware, storageTier, sleepTimeSeconds, volumes, secrets, variables } = body
  const { devModeEnabled } = body
  const machine = { hardware, storageTier, sleepTimeSeconds, volumes, devModeEnabled }
  return omitUndefined({ ...machine, secrets, variables })
}
