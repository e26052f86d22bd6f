import type {
  DiscussionReactionResponse,
  DiscussionSummaryResponse,
} from '../../contract/hub-discussions.ts'
import { reactionNames, type ReactionName } from '../../contract/words/hub-words.ts'
import { Refusal } from '../../core/refusal.ts'
import type { DiscussionEvent } from '../../store/entities/hub-entities.ts'
import type { Comment } from '../commits/emit-hub-event.ts'
import type { HubDeps } from '../hub-deps.ts'
import { type DiscussionInput, requireComment } from './discussions.ts'

/** Reactions of a discussion in a list. */
const mostTopReactions = 3

/** Emoji of each reaction, as the pages of the hub show it. */
const emojis: Readonly<Record<ReactionName, string>> = {
  fire: '🔥',
  rocket: '🚀',
  eyes: '👀',
  heart: '❤️',
  hugs: '🤗',
  cool: '😎',
  plus: '➕',
  brain: '🧠',
  thumbsup: '👍',
  handshake: '🤝',
  sad: '😔',
  mindblown: '🤯',
}
const nameOfEmoji = new Map(
  reactionNames.flatMap((name) => [
    [name as string, name],
    [emojis[name], name],
    // Without the selector of the colored form.
    [emojis[name].replace('\uFE0F', ''), name],
  ]),
)

const emoji =
  /^(?:\p{Regional_Indicator}{2}|\p{Emoji}(?:\p{EMod}|\uFE0F\u20E3?)?(?:\u200D\p{Emoji}(?:\p{EMod}|\uFE0F)?)*)$/u

type ReactionInput = DiscussionInput & { commentId: string; reaction: string }
type Reactions = NonNullable<DiscussionEvent['reactions']>

/**
 * Adds a user's reaction to a comment, once. No event reports it, as on the hub.
 * @throws {Refusal} `invalid` for an unknown reaction, `not_found` for an unknown comment, `conflict` for a hidden one
 */
export function addReaction(deps: Pick<HubDeps, 'state'>, input: ReactionInput): Comment {
  const { actorId } = input
  const reaction = requireReaction(input.reaction)
  const comment = requireComment(deps, input.discussion, input.commentId)
  if (comment.hidden === true) throw new Refusal('conflict', 'This comment is hidden')
  const { reactions = [] } = comment
  const given = reactions.find((one) => findReaction(one.reaction) === reaction)
  if (given?.userIds.includes(actorId) === true) return comment
  const others =
    given === undefined
      ? [...reactions, { reaction, userIds: [actorId] }]
      : reactions.map((one) =>
          one === given ? { ...one, userIds: [...one.userIds, actorId] } : one,
        )
  return storeReactions(deps, comment, others)
}

/**
 * Takes a user's reaction back. A comment without it stays as it is.
 * @throws {Refusal} `not_found` for an unknown comment
 */
export function removeReaction(deps: Pick<HubDeps, 'state'>, input: ReactionInput): Comment {
  const comment = requireComment(deps, input.discussion, input.commentId)
  const { reactions = [] } = comment
  const reaction = findReaction(input.reaction)
  const left = reactions.flatMap((one) => {
    if (findReaction(one.reaction) !== reaction) return [one]
    const userIds = one.userIds.filter((id) => id !== input.actorId)
    return userIds.length === 0 ? [] : [{ ...one, userIds }]
  })
  return storeReactions(deps, comment, left)
}

/** Describes the reactions to a comment, without users that are gone and the other emojis of older fixtures. */
export function describeReactions(
  { state }: Pick<HubDeps, 'state'>,
  { reactions = [] }: DiscussionEvent,
): DiscussionReactionResponse[] {
  return reactions.flatMap(({ reaction: stored, userIds }) => {
    const reaction = findReaction(stored)
    const users = userIds.flatMap((id) => state.users.get(id)?.username ?? [])
    if (reaction === undefined || users.length === 0) return []
    return [{ reaction, users, count: users.length }]
  })
}

/** Summarizes the reactions to all comments of a discussion, the most frequent first. */
export function summarizeReactions(
  deps: Pick<HubDeps, 'state'>,
  comments: readonly DiscussionEvent[],
): Pick<DiscussionSummaryResponse, 'topReactions' | 'numReactionUsers'> {
  const counts = new Map<ReactionName, number>()
  const everyone = new Set<string>()
  for (const { reaction, users } of comments.flatMap((one) => describeReactions(deps, one))) {
    counts.set(reaction, (counts.get(reaction) ?? 0) + users.length)
    for (const user of users) everyone.add(user)
  }
  const topReactions = [...counts]
    .map(([reaction, count]) => ({ reaction, count }))
    .toSorted((one, other) => other.count - one.count)
  return { topReactions: topReactions.slice(0, mostTopReactions), numReactionUsers: everyone.size }
}

/** Returns the name of a reaction, which may be its emoji; `undefined` for any other text. */
export function findReaction(text: string): ReactionName | undefined {
  return nameOfEmoji.get(text)
}

function requireReaction(text: string): ReactionName {
  const reaction = findReaction(text)
  if (reaction !== undefined) return reaction
  throw new Refusal('invalid', `Unknown reaction ${text}: use one of ${reactionNames.join(', ')}`)
}

/** Checks whether a text is one emoji, which may be a sequence of characters. */
export function isEmoji(text: string): boolean {
  return text.length <= 40 && emoji.test(text) && !/^[\d#*]$/.test(text)
}

function storeReactions(
  { state }: Pick<HubDeps, 'state'>,
  comment: Comment,
  reactions: Reactions,
): Comment {
  const { reactions: _before, ...rest } = comment
  const after = reactions.length === 0 ? rest : { ...rest, reactions }
  state.discussionEvents.put(after)
  return after
}
