import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { sendJson } from '../../web/send-json.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { permit } from '../access/access.ts'
import type { RepoAction } from '../access/access-rules.ts'
import { listDiscussions } from './discussion-list.ts'
import { describeDiscussion, describeEvent } from './discussion-view.ts'
import {
  addComment,
  changeStatus,
  changeTitle,
  deleteDiscussion,
  editComment,
  hideComment,
  openDiscussion,
  pinDiscussion,
  requireComment,
  requireDiscussion,
  requireDiscussionsOf,
} from './discussions.ts'
import { deletePullRequestRef, measureStorage } from './pull-request-ref.ts'
import { compareRevisions } from './revision-diff.ts'
import { addReaction, removeReaction } from './reactions.ts'
import { mergeWhenWritten, openPullRequest } from './pull-requests.ts'
import type { DiscussionEvent } from '../../store/entities/hub-entities.ts'
import { repoWebPath } from '../files/repo-names.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { presentRepo, registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Changes between revisions, as pull requests show them. */
export const revisionDiffRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/:repo/compare/:compare', ({ repo, params, query }, reply) => {
    const { compare } = params
    const { raw } = query
    const text = compareRevisions(deps.objects.of(repo), repo, {
      compare,
      ...omitUndefined({ raw }),
    })
    return sendJson(reply, text)
  })
}

/** Discussions and pull requests of repos. */
export const discussionRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  app.addHook('preHandler', ({ repo }, _reply, done) => {
    requireDiscussionsOf(repo)
    done()
  })
  hub(app, 'GET /api/:repo/discussions', ({ repo, query }) => listDiscussions(deps, repo, query))

  hub(app, 'GET /api/:repo/discussions/:num', (request, reply) => {
    const { repo, query } = request
    const { diff } = query
    const withDiff = diff === '1' || diff?.toLowerCase() === 'true'
    return sendJson(reply, describeDiscussion(deps, repo, discussionOf(request), withDiff))
  })

  hub(app, 'POST /api/:repo/discussions', (request) => {
    const { repo, principal, body, root } = request
    const { title, description, pullRequest = false } = body
    if (pullRequest) permit(deps, principal, { action: 'pull-request.create', repo })
    const open = pullRequest ? openPullRequest : openDiscussion
    const actorId = signedIn(request).user.id
    const { discussion } = open(deps, { repo, title, description, actorId })
    const { num } = discussion
    const url = `${root}${repoWebPath(repo.type, repo.name)}/discussions/${num}`
    return { url, num, pullRequest }
  })

  hub(app, 'DELETE /api/:repo/discussions/:num', (request) => {
    deleteDiscussion(deps, changeOf(request))
    return {}
  })

  hub(app, 'POST /api/:repo/discussions/:num/comment', (request) => {
    const comment = addComment(deps, { ...changeOf(request), content: request.body.comment })
    return { newMessage: describe(request, comment) }
  })

  hub(app, 'POST /api/:repo/discussions/:num/comment/:commentId/edit', (request) => {
    const { content } = request.body
    const comment = editComment(deps, { ...commentOf(request, 'comment.edit'), content })
    return { updatedComment: describe(request, comment) }
  })

  hub(app, 'POST /api/:repo/discussions/:num/comment/:commentId/hide', (request) => {
    const comment = hideComment(deps, commentOf(request, 'comment.hide'))
    return { updatedComment: describe(request, comment) }
  })

  hub(app, 'POST /api/:repo/discussions/:num/comment/:commentId/reaction', (request) => {
    const comment = addReaction(deps, reactionOf(request, request.body.reaction))
    return { updatedComment: describe(request, comment) }
  })

  hub(app, 'DELETE /api/:repo/discussions/:num/comment/:commentId/reaction', (request) => {
    const comment = removeReaction(deps, reactionOf(request, request.body.reaction))
    return { updatedComment: describe(request, comment) }
  })

  hub(app, 'POST /api/:repo/discussions/:num/title', (request) => {
    const { title } = request.body
    const change = ownChangeOf(request)
    // The response is the new entry of the timeline, and there would be none.
    if (title === change.discussion.title) {
      throw new Refusal('invalid', 'The discussion has this title already')
    }
    changeTitle(deps, { ...change, title })
    return { newTitle: newest(request, 'title-change') }
  })

  hub(app, 'POST /api/:repo/discussions/:num/status', (request) => {
    const input = { ...ownChangeOf(request), ...omitUndefined(request.body) }
    if (input.comment !== undefined) {
      permit(deps, request.principal, { action: 'discussion.comment', repo: request.repo })
    }
    changeStatus(deps, input)
    return { newStatus: newest(request, 'status-change') }
  })

  hub(app, 'POST /api/:repo/discussions/:num/pin', (request) => {
    pinDiscussion(deps, { ...changeOf(request), pinned: request.body.pinned })
    return {}
  })

  hub(app, 'POST /api/:repo/discussions/:num/merge', async (request) => {
    const comment = omitUndefined(request.body ?? {})
    await mergeWhenWritten(deps, () => {
      // The repo and the rights may change while the files are written.
      requireDiscussionsOf(presentRepo(deps, request))
      return { ...changeOf(request), ...comment }
    })
    return {}
  })

  hub(app, 'DELETE /api/:repo/discussions/:num/ref', (request) => {
    deletePullRequestRef(deps, changeOf(request))
    return {}
  })

  hub(app, 'GET /api/:repo/discussions/:num/storage', (request) =>
    measureStorage(deps, discussionOf(request)),
  )

  const discussionOf = ({ repo, params }: FastifyRequest) =>
    requireDiscussion(deps, repo, (params as { num: number }).num)

  const describe = ({ repo }: FastifyRequest, event: DiscussionEvent) =>
    describeEvent(deps, repo, event)

  /** Describes the newest entry of a type in the timeline. */
  function newest(request: FastifyRequest, type: DiscussionEvent['type']) {
    const { id } = discussionOf(request)
    const timeline = deps.state.discussionEvents.group('discussion', id)
    const event = timeline.findLast((entry) => entry.type === type)
    if (event === undefined) throw new TypeError(`the timeline of ${id} has no ${type}`)
    return describe(request, event)
  }

  const changeOf = (request: FastifyRequest) => ({
    discussion: discussionOf(request),
    actorId: signedIn(request).user.id,
  })

  function reactionOf(request: FastifyRequest, reaction: string) {
    const { commentId: id } = request.params as { commentId: string }
    return { ...changeOf(request), commentId: id, reaction }
  }

  /** @throws {Refusal} unless the caller may change the discussion, whose author may */
  function ownChangeOf(request: FastifyRequest) {
    const change = changeOf(request)
    const { authorId } = change.discussion
    permit(deps, request.principal, { action: 'discussion.change', repo: request.repo, authorId })
    return change
  }

  /** @throws {Refusal} `not_found`, or unless the caller may do that with the comment */
  function commentOf(request: FastifyRequest, action: RepoAction) {
    const change = changeOf(request)
    const { commentId: id } = request.params as { commentId: string }
    const { authorId } = requireComment(deps, change.discussion, id)
    permit(deps, request.principal, { action, repo: request.repo, ...omitUndefined({ authorId }) })
    return { ...change, commentId: id }
  }
}
