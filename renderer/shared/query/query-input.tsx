// Completions hold a key and its help, which a datalist cannot show: hence the combobox roles (ARIA APG).
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import type { QueryIssue } from '../../../server/contract/query/compile-query.ts'
import type { QueryList } from '../../../server/contract/query/query-keys.ts'
import { classNames } from '../../lib/class-names.ts'
import { TextInput } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Completion, completeQuery } from './complete-query.ts'
import { useDraft } from './use-draft.ts'
import type { QueryNames } from './use-query-names.ts'

interface QueryInputProps {
  list: QueryList
  label: string
  placeholder: string
  query: string
  onQuery: (query: string) => void
  known: QueryNames
  issues: readonly QueryIssue[]
  inputRef?: RefObject<HTMLInputElement | null>
  /** Many controls stand beside it, for which only a wide window has room. */
  isCrowded?: boolean
}

const tokenInQuery =
  'Tokens cannot be searched here, because the query is part of the URL. Press Ctrl K instead.'

/** Query with completions of keys and values (ARIA combobox), and the problems of its words below. */
export function QueryInput({ list, label, placeholder, known, ...props }: QueryInputProps) {
  const { draft, setDraft, isSecret } = useDraft(props.query, props.onQuery)
  const ownRef = useRef<HTMLInputElement>(null)
  const input = props.inputRef ?? ownRef
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(-1)
  const ids = useId()
  const options = caret === undefined ? [] : completeQuery(list, draft, caret, known)
  const isOpen = options.length > 0
  const problems = isSecret ? [tokenInQuery] : props.issues.map(({ message }) => message)

  function close(): void {
    setCaret(undefined)
    setActive(-1)
  }
  function show(at: number | null): void {
    setCaret(at ?? draft.length)
    setActive(-1)
  }
  function accept({ text, caret: after }: Completion): void {
    setDraft(text)
    // A key is followed by its values.
    if (text.charAt(after - 1) === ':') show(after)
    else close()
    requestAnimationFrame(() => input.current?.setSelectionRange(after, after))
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event
    const option = options[active]
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return show(event.currentTarget.selectionStart)
      const step = key === 'ArrowDown' ? 1 : -1
      const count = options.length + 1
      setActive(((active + 1 + step + count) % count) - 1)
    } else if (key === 'Enter') {
      if (option) accept(option)
      else {
        close()
        if (!isSecret) props.onQuery(draft)
      }
    } else if (key === 'Escape') {
      // Browsers clear a search field on Escape; the query must stay.
      event.preventDefault()
      event.stopPropagation()
      if (isOpen) close()
      else event.currentTarget.blur()
    }
  }

  return (
    // In a narrow window only the saved views have room beside it: the filters stand below.
    <div
      className={classNames(
        'relative min-w-44 flex-1 max-sm:basis-[calc(100%-3rem)]',
        props.isCrowded && 'max-xl:basis-[calc(100%-3rem)]',
      )}
    >
      <Icon name="search" className="absolute top-2 left-2.5 size-4 text-faint" />
      <TextInput
        ref={input}
        type="search"
        role="combobox"
        aria-label={label}
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${ids}-list`}
        aria-activedescendant={active >= 0 ? `${ids}-${active}` : undefined}
        aria-describedby={`${ids}-problems`}
        aria-invalid={problems.length > 0 ? true : undefined}
        placeholder={placeholder}
        className="pl-8"
        value={draft}
        onChange={(event) => {
          const { value, selectionStart } = event.target
          setDraft(value)
          // All keys at once would only cover what is below: ArrowDown shows them.
          if (/\S$/.test(value.slice(0, selectionStart ?? value.length))) show(selectionStart)
          else close()
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        id={`${ids}-list`}
        role="listbox"
        aria-label={`${label}: completions`}
        hidden={!isOpen}
        className="absolute top-full left-0 z-30 mt-1 max-h-80 w-full max-w-130 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-pop"
      >
        {options.map((option, index) => (
          <CompletionRow
            key={option.word}
            id={`${ids}-${index}`}
            option={option}
            isActive={index === active}
            onAccept={() => accept(option)}
          />
        ))}
      </div>
      <div
        id={`${ids}-problems`}
        role="alert"
        // Not under the list of completions while a word is being typed.
        className={classNames('pt-1 text-xs text-bad empty:hidden', isOpen && 'sr-only')}
      >
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
      </div>
    </div>
  )
}

interface CompletionRowProps {
  id: string
  option: Completion
  isActive: boolean
  onAccept: () => void
}

function CompletionRow({ id, option, isActive, onAccept }: CompletionRowProps) {
  return (
    // The input keeps the focus and has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onAccept}
      className={classNames(
        'flex cursor-default items-baseline gap-3 rounded-md px-2 py-1 text-sm',
        isActive ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <span className="truncate font-mono text-xs">{option.word}</span>
      {option.help !== undefined && (
        <span className="ml-auto truncate text-xs text-muted">{option.help}</span>
      )}
    </div>
  )
}
