import { own } from '../../core/own.ts'
import { isObject } from '../../core/is-object.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { readCommit } from '../files/git-objects.ts'
import { type Card, type ReadCard, repoCard } from '../files/repo-card.ts'
import { mainRef } from '../files/revisions.ts'
import type { HubDeps } from '../hub-deps.ts'

/** Question of the form for access to a gated repo. */
export interface GateQuestion {
  readonly name: string
  readonly kind: 'text' | 'checkbox' | 'date' | 'select'
  /** Possible answers to a selection. */
  readonly options: readonly string[]
}

/** Form of a gated repo, from the metadata of its README. */
export interface GateForm {
  readonly heading?: string
  readonly description?: string
  readonly prompt?: string
  readonly button?: string
  readonly questions: readonly GateQuestion[]
}

/** Further questions of a README are left out. */
const mostQuestions = 50
const longestQuestion = 200

const kinds: Readonly<Record<string, GateQuestion['kind']>> = {
  text: 'text',
  country: 'text',
  ip_location: 'text',
  date_picker: 'date',
  checkbox: 'checkbox',
  select: 'select',
}

/**
 * Returns the form of a repo from the README on main: `extra_gated_fields`, `extra_gated_prompt` and its like. Questions of
 * an unknown kind are texts.
 */
export function gateFormOf(
  { objects }: Pick<HubDeps, 'objects'>,
  repo: Repo,
  readCard: ReadCard,
): GateForm {
  const store = objects.of(repo)
  const head = repo.refs[mainRef]
  const card = head === undefined ? {} : repoCard(store, readCommit(store, head).treeId, readCard)
  return readGateForm(card ?? {})
}

/** {@link gateFormOf} from the metadata of a README. */
export function readGateForm(card: Card): GateForm {
  const fields = card['extra_gated_fields']
  const questions = isObject(fields) ? Object.entries(fields) : []
  return {
    ...omitUndefined({
      heading: textOf(card['extra_gated_heading']),
      description: textOf(card['extra_gated_description']),
      prompt: textOf(card['extra_gated_prompt']),
      button: textOf(card['extra_gated_button_content']),
    }),
    questions: questions
      .filter(([name]) => name.length <= longestQuestion)
      .slice(0, mostQuestions)
      .map(([name, field]) => readQuestion(name, field)),
  }
}

function readQuestion(name: string, field: unknown): GateQuestion {
  const type = isObject(field) ? field['type'] : field
  const options = isObject(field) && Array.isArray(field['options']) ? field['options'] : []
  const kind = (typeof type === 'string' ? own(kinds, type) : undefined) ?? 'text'
  return { name, kind, options: options.flatMap(readOption) }
}

function readOption(option: unknown): string[] {
  const value = isObject(option) ? (option['value'] ?? option['label']) : option
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
