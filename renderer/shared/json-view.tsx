// A tree has no element of its own: hence the roles (ARIA APG, tree view).
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { hasText, type JsonRow, jsonRows, jsPath, parentOf, valueAt } from '../lib/json-rows.ts'
import { prettyJson } from '../lib/pretty-json.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { copyText } from '../ui/copy.tsx'
import { TextInput } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { words } from './words.ts'

/** Longer texts are shown as they are: their tree would be slower than useful. */
const longestText = 256 * 1024
const mostRows = 2000
const nothing: ReadonlySet<string> = new Set()

interface JsonViewProps {
  label: string
  /** Shown as it is if it is not JSON. */
  text: string
}

/** JSON as a tree that folds and is searched; other texts as they are. */
export function JsonView({ label, text }: JsonViewProps) {
  const root = useMemo(() => parse(text), [text])
  const rows = useMemo(() => root && jsonRows(root.value, nothing, mostRows), [root])
  if (root === undefined || rows === undefined || rows.length === 1) {
    const json = prettyJson(text)
    return <Code label={label} json={!json.error} text={json.text || text} />
  }
  return <JsonTree key={text} label={label} root={root.value} all={rows} />
}

function parse(text: string): { value: unknown } | undefined {
  if (text.length > longestText) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

interface JsonTreeProps {
  label: string
  root: unknown
  /** Lines of the unfolded tree. */
  all: readonly JsonRow[]
}

function JsonTree({ label, root, all }: JsonTreeProps) {
  const [folded, setFolded] = useState(nothing)
  const [active, setActive] = useState('')
  const [query, setQuery] = useState('')
  const tree = useRef<HTMLDivElement>(null)
  const ids = useId()
  const found = useMemo(
    () => (query === '' ? [] : all.filter((row) => hasText(row, query))),
    [all, query],
  )
  const rows = useMemo(() => jsonRows(root, folded, mostRows) ?? [], [root, folded])
  const index = Math.max(
    0,
    rows.findIndex(({ pointer }) => pointer === active),
  )
  useEffect(() => {
    const row = tree.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (active !== '') row?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function fold(pointer: string, isFolded: boolean): void {
    const next = new Set(folded)
    if (isFolded) next.add(pointer)
    else next.delete(pointer)
    setFolded(next)
  }
  /** Selects a line and unfolds what is around it. */
  function show(pointer: string): void {
    const next = new Set(folded)
    for (let at = parentOf(pointer); at !== undefined; at = parentOf(at)) next.delete(at)
    setFolded(next)
    setActive(pointer)
  }
  function showFound(step: number): void {
    const here = found.findIndex(({ pointer }) => pointer === active)
    const from = here === -1 && step < 0 ? 0 : here
    const next = found[(from + step + found.length) % Math.max(1, found.length)]
    if (next) show(next.pointer)
  }
  const isFolded = (row: JsonRow) => folded.has(row.pointer)
  const keys: Record<string, (row: JsonRow) => void> = {
    ArrowDown: () => setActive(rows[Math.min(rows.length - 1, index + 1)]?.pointer ?? ''),
    ArrowUp: () => setActive(rows[Math.max(0, index - 1)]?.pointer ?? ''),
    ArrowRight: (row) =>
      isFolded(row)
        ? fold(row.pointer, false)
        : row.count && setActive(rows[index + 1]?.pointer ?? ''),
    ArrowLeft: (row) =>
      row.count && !isFolded(row)
        ? fold(row.pointer, true)
        : setActive(parentOf(row.pointer) ?? ''),
    Home: () => setActive(''),
    End: () => setActive(rows.at(-1)?.pointer ?? ''),
    Enter: (row) => row.count && fold(row.pointer, !isFolded(row)),
    ' ': (row) => row.count && fold(row.pointer, !isFolded(row)),
  }
  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[index]
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const act = isPlain && Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (row === undefined || act === undefined) return
    event.preventDefault()
    // The page has these keys for its list.
    event.stopPropagation()
    act(row)
  }
  const containers = all.filter(({ count, pointer }) => count && pointer !== '')
  return (
    <div className="flex flex-col gap-1.5">
      <Toolbar
        label={label}
        query={query}
        onQuery={setQuery}
        onStep={showFound}
        found={words.found(found.findIndex(({ pointer }) => pointer === active) + 1, found.length)}
        hasFolded={folded.size > 0}
        onFoldAll={
          containers.length === 0
            ? undefined
            : () =>
                setFolded(folded.size > 0 ? nothing : new Set(containers.map((row) => row.pointer)))
        }
        root={root}
        active={active}
      />
      <div
        ref={tree}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`${ids}-${index}`}
        onKeyDown={onKeyDown}
        className="scroll-quiet max-h-[60vh] overflow-auto rounded-lg border border-line bg-sunken py-2 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
      >
        {rows.map((row, at) => (
          <TreeRow
            key={row.pointer}
            id={`${ids}-${at}`}
            row={row}
            isActive={at === index}
            isFolded={isFolded(row)}
            isFound={query !== '' && hasText(row, query)}
            onSelect={() => setActive(row.pointer)}
            onFold={() => fold(row.pointer, !isFolded(row))}
          />
        ))}
      </div>
    </div>
  )
}

interface ToolbarProps {
  label: string
  query: string
  onQuery: (query: string) => void
  /** Shows the next line that was found, or the one before. */
  onStep: (step: 1 | -1) => void
  found: string
  hasFolded: boolean
  /** Absent where nothing folds. */
  onFoldAll: (() => void) | undefined
  root: unknown
  /** Pointer of the selected line. */
  active: string
}

function Toolbar(props: ToolbarProps) {
  const { label, query, onQuery, onStep, found, hasFolded, onFoldAll, root, active } = props
  const copy = (text: string, what: string) => () => void copyText(text, what)
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <div className="relative min-w-36 flex-1">
        <TextInput
          type="search"
          aria-label={`Search in ${label}`}
          placeholder="Search"
          className="h-7! text-xs!"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            onStep(event.shiftKey ? -1 : 1)
          }}
        />
        <output className="pointer-events-none absolute top-1.5 right-7 text-xs text-muted">
          {query !== '' && found}
        </output>
      </div>
      {onFoldAll && (
        <Button size="small" onClick={onFoldAll}>
          {hasFolded ? 'Unfold all' : 'Fold all'}
        </Button>
      )}
      <Menu
        trigger={
          <Button size="small" icon="copy">
            Copy
          </Button>
        }
        items={[
          {
            label: words.jsonPointer,
            disabled: active === '',
            onSelect: copy(active, words.jsonPointer),
          },
          {
            label: words.jsPath,
            disabled: active === '',
            onSelect: copy(jsPath(root, active).replace(/^\./, ''), words.jsPath),
          },
          {
            label: words.jsonValue,
            onSelect: copy(JSON.stringify(valueAt(root, active), null, 2), words.jsonValue),
          },
        ]}
      />
    </div>
  )
}

const tones: Record<JsonRow['kind'], string> = {
  object: 'text-muted',
  array: 'text-muted',
  string: 'text-ok',
  number: 'text-warn',
  word: 'text-accent',
}

interface TreeRowProps {
  id: string
  row: JsonRow
  isActive: boolean
  isFolded: boolean
  isFound: boolean
  onSelect: () => void
  onFold: () => void
}

function TreeRow({ id, row, isActive, isFolded, isFound, onSelect, onFold }: TreeRowProps) {
  const { name, level, text, kind, count } = row
  return (
    // The tree around it has the focus and the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-selected={isActive}
      aria-expanded={count ? !isFolded : undefined}
      onClick={onSelect}
      onDoubleClick={count ? onFold : undefined}
      style={{ paddingLeft: `${Math.min(level, 24) + 0.25}rem` }}
      className={classNames(
        'flex cursor-default items-start gap-1 pr-3',
        isActive ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      {count ? (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span aria-hidden="true" className="-ml-4 shrink-0 px-0.5 pt-1" onClick={onFold}>
          <Icon name="chevron" className={classNames('size-3', !isFolded && 'rotate-90')} />
        </span>
      ) : undefined}
      <span className={classNames('min-w-0 break-all', isFound && 'bg-warn-soft')}>
        {name !== undefined && (
          <span className={typeof name === 'string' ? 'text-accent' : 'text-faint'}>
            {typeof name === 'string' ? JSON.stringify(name) : name}
            {': '}
          </span>
        )}
        <span className={tones[kind]}>{text}</span>
      </span>
    </div>
  )
}
