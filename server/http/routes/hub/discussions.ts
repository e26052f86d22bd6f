import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  CommentBody,
  DiscussionQuery,
  DiscussionsQuery,
  EditCommentBody,
  MergeBody,
  NewDiscussionBody,
  PinBody,
  ReactionBody,
  StatusBody,
  TitleBody,
} from '../../../contract/hub-discussions.ts'
import { sendJson } from '../../send-json.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { permit } from '../../../hub/access/access.ts'
import type { RepoAction } from '../../../hub/access/access-rules.ts'
import { listDiscussions } from '../../../hub/discussions/discussion-list.ts'
import { describeDiscussion, describeEvent } from '../../../hub/discussions/discussion-view.ts'
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
} from '../../../hub/discussions/discussions.ts'
import { deletePullRequestRef, measureStorage } from '../../../hub/discussions/pull-request-ref.ts'
import { addReaction, removeReaction } from '../../../hub/discussions/reactions.ts'
import { mergeWhenWritten, openPullRequest } from '../../../hub/discussions/pull-requests.ts'
import type { DiscussionEvent } from '../../../state/entities/hub.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { registerRepoOfRoute, repoApiRoute, repoParams } from '../../plugins/repo-of-route.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['discussions']
const { types, namespace, name } = repoParams.properties
const num = Type.Integer({ minimum: 1, description: 'Number of the discussion' })
const ofDiscussion = Type.Object({ types, namespace, name, num })
const commentId = Type.String({ description: '24 hex digits' })
const ofComment = Type.Object({ ...ofDiscussion.properties, commentId })
const oneDiscussion = `${repoApiRoute}/discussions/:num(\\d+)`
const oneComment = `${oneDiscussion}/comment/:commentId`

/** Discussions and pull requests of repos. */
export const discussionRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const reads = { config: { repoAction: 'repo.read' as const } }
  // The right depends on the author of the discussion or comment; a user who may comment may have it.
  const changesBy = (action: RepoAction) => ({
    config: {
      repoAction: 'discussion.comment' as const,
      needsUser: true as const,
      actions: [action] as const,
    },
  })

  app.get(
    `${repoApiRoute}/discussions`,
    {
      ...reads,
      schema: {
        summary: 'List discussions',
        tags,
        params: repoParams,
        querystring: DiscussionsQuery,
      },
    },
    ({ repo, query }) => listDiscussions(deps, repo, query),
  )

  app.get(
    oneDiscussion,
    {
      ...reads,
      schema: {
        summary: 'Get a discussion',
        tags,
        params: ofDiscussion,
        querystring: DiscussionQuery,
      },
    },
    (request, reply) => {
      const { repo, query } = request
      const { diff } = query
      const withDiff = diff === '1' || diff?.toLowerCase() === 'true'
      return sendJson(reply, describeDiscussion(deps, repo, discussionOf(request), withDiff))
    },
  )

  app.post(
    `${repoApiRoute}/discussions`,
    {
      config: { repoAction: 'discussion.create', actions: ['pull-request.create'] },
      schema: {
        summary: 'Open a discussion or pull request',
        tags,
        params: repoParams,
        body: NewDiscussionBody,
      },
    },
    (request) => {
      const { repo, principal, body } = request
      const { title, description, pullRequest = false } = body
      if (pullRequest) permit(deps, principal, { action: 'pull-request.create', repo })
      const open = pullRequest ? openPullRequest : openDiscussion
      const actorId = signedIn(request).user.id
      const { discussion } = open(deps, { repo, title, description, actorId })
      return { num: discussion.num, pullRequest }
    },
  )

  app.delete(
    oneDiscussion,
    {
      config: { repoAction: 'discussion.delete' },
      schema: { summary: 'Delete a discussion', tags, params: ofDiscussion },
    },
    (request) => {
      deleteDiscussion(deps, changeOf(request))
      return {}
    },
  )

  app.post(
    `${oneDiscussion}/comment`,
    {
      config: { repoAction: 'discussion.comment' },
      schema: { summary: 'Add a comment', tags, params: ofDiscussion, body: CommentBody },
    },
    (request, reply) => {
      const comment = addComment(deps, { ...changeOf(request), content: request.body.comment })
      return reply.code(201).send({ newMessage: describe(request, comment) })
    },
  )

  app.post(
    `${oneComment}/edit`,
    {
      ...changesBy('comment.edit'),
      schema: { summary: 'Edit a comment', tags, params: ofComment, body: EditCommentBody },
    },
    (request) => {
      const { content } = request.body
      const comment = editComment(deps, { ...commentOf(request, 'comment.edit'), content })
      return { updatedComment: describe(request, comment) }
    },
  )

  app.post(
    `${oneComment}/hide`,
    {
      ...changesBy('comment.hide'),
      schema: { summary: 'Hide a comment for good', tags, params: ofComment },
    },
    (request) => {
      const comment = hideComment(deps, commentOf(request, 'comment.hide'))
      return { updatedComment: describe(request, comment) }
    },
  )

  app.post(
    `${oneComment}/reaction`,
    {
      config: { repoAction: 'comment.react' },
      schema: { summary: 'React to a comment', tags, params: ofComment, body: ReactionBody },
    },
    (request) => {
      const comment = addReaction(deps, reactionOf(request, request.body.reaction))
      return { updatedComment: describe(request, comment) }
    },
  )

  app.delete(
    `${oneComment}/reaction`,
    {
      config: { repoAction: 'comment.react' },
      schema: { summary: 'Take back a reaction', tags, params: ofComment, body: ReactionBody },
    },
    (request) => {
      const comment = removeReaction(deps, reactionOf(request, request.body.reaction))
      return { updatedComment: describe(request, comment) }
    },
  )

  app.post(
    `${oneDiscussion}/title`,
    {
      ...changesBy('discussion.change'),
      schema: { summary: 'Change the title', tags, params: ofDiscussion, body: TitleBody },
    },
    (request) => {
      const { title } = request.body
      const change = ownChangeOf(request)
      // The response is the new entry of the timeline, and there would be none.
      if (title === change.discussion.title) {
        throw new Refusal('invalid', 'The discussion has this title already')
      }
      changeTitle(deps, { ...change, title })
      return { newTitle: newest(request, 'title-change') }
    },
  )

  app.post(
    `${oneDiscussion}/status`,
    {
      ...changesBy('discussion.change'),
      schema: { summary: 'Close or reopen', tags, params: ofDiscussion, body: StatusBody },
    },
    (request) => {
      const input = { ...ownChangeOf(request), ...omitUndefined(request.body) }
      if (input.comment !== undefined) {
        permit(deps, request.principal, { action: 'discussion.comment', repo: request.repo })
      }
      changeStatus(deps, input)
      return { newStatus: newest(request, 'status-change') }
    },
  )

  app.post(
    `${oneDiscussion}/pin`,
    {
      config: { repoAction: 'discussion.pin' },
      schema: { summary: 'Pin or unpin', tags, params: ofDiscussion, body: PinBody },
    },
    (request) => {
      pinDiscussion(deps, { ...changeOf(request), pinned: request.body.pinned })
      return {}
    },
  )

  app.post(
    `${oneDiscussion}/merge`,
    {
      config: { repoAction: 'pull-request.merge' },
      schema: { summary: 'Merge a pull request', tags, params: ofDiscussion, body: MergeBody },
    },
    async (request) => {
      const comment = omitUndefined(request.body ?? {})
      await mergeWhenWritten(deps, () => ({ ...changeOf(request), ...comment }))
      return {}
    },
  )

  app.delete(
    `${oneDiscussion}/ref`,
    {
      config: { repoAction: 'pull-request.delete-ref' },
      schema: { summary: 'Delete the ref of a pull request', tags, params: ofDiscussion },
    },
    (request) => {
      deletePullRequestRef(deps, changeOf(request))
      return {}
    },
  )

  app.get(
    `${oneDiscussion}/storage`,
    {
      ...reads,
      schema: {
        summary: 'Get the storage that only a pull request uses',
        tags,
        params: ofDiscussion,
      },
    },
    (request) => measureStorage(deps, discussionOf(request)),
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
    return event === undefined ? undefined : describe(request, event)
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
