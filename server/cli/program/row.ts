import type {
  ControlResponse,
  ControlItem,
  ControlKey,
  ControlPart,
} from '../../contract/control-call.ts'
import type { CodeCache } from '../code-cache/load-program.ts'
import type { KindName } from './kinds.ts'

/** Command of the command line. `add-entry.ts` makes it a command of commander; its code is loaded when it is called. */
export interface Row extends About {
  /** Name and arguments, such as `remove <id>`. */
  name: string
  /** Description, imperative. */
  does: string
  /** The group runs this command if it is called without a subcommand. */
  isDefault?: true
  /** Arguments by name. */
  arguments?: Readonly<Record<string, string | Given>>
  /** Options by their flags, such as `--user <name>`. */
  options?: Readonly<Record<string, string | Given>>
  /** False for a command that needs no running sandbox. */
  connects?: false
  /** Endpoint, if the command is one call of the control API. */
  key?: ControlKey
  /** Loads the code of the command. */
  load: (codeCache: CodeCache | undefined) => Promise<Act>
}

/** Commands below a common name. */
export interface Group {
  name: string
  does: string
  rows: readonly Row[]
}

/** Creates a group of commands. */
export function group(name: string, does: string, rows: readonly Row[]): Group {
  return { name, does, rows }
}

/** Runs a command, with its arguments and then its options. */
export type Act = (...given: never[]) => Promise<void> | void

/** Help, rules and examples of a command. */
export interface About {
  /** Groups of options and arguments that cannot be combined, by their names in code. */
  apart?: readonly (readonly string[])[]
  /** Options that require another one: `secret` → `forwardTo`. */
  needs?: Readonly<Record<string, string>>
  /** Lines for a POSIX shell that work as printed, by their descriptions; `endless` runs until Ctrl-C. */
  examples: Readonly<Record<string, string | { endless: string }>>
  /** Last lines of the help, such as the exit codes. */
  ending?: string
  /** Help of `--json`; false for a command with its own `--json`, or none. */
  json?: string | false
}

/** Argument or option that is more than a text. */
export interface Given {
  help?: string
  /** Kind of thing that the value names; completion offers all of that kind. */
  of?: KindName
  /** Values that completion offers. */
  values?: readonly string[]
  /** Only these values are accepted, and the help lists them. */
  choices?: readonly string[]
  /** The option can be given several times. */
  repeatable?: true
  /** The command is refused without this option. */
  required?: true
  /** Field of the body or query, such as `match.route`. Default: the parameter of the path, or the name of the option. */
  to?: string
  /** Fields that this switch sets. */
  sets?: Readonly<Record<string, unknown>>
  /** Value of a missing option: the first user of the sandbox. */
  otherwise?: 'first user'
  /** Several values in one: `a,b`. */
  commas?: true
  /** The value is the name of a JSON or YAML file, whose content is sent. */
  isFile?: true
}

/** Command that calls the control API once: the row has its input and its output. */
export interface CallRow<K extends ControlKey> extends Omit<Row, 'key' | 'load'> {
  /** Fields of the body that are the same in each call; `{}` if all of them come from arguments and options. */
  body?: Partial<ControlPart<K, 'body'>>
  query?: Partial<ControlPart<K, 'query'>>
  /** Text of the response. Without it, the command prints nothing but the response as JSON. */
  show?: (
    response: ControlResponse<K>,
    call: { url: string; id: string },
  ) => string | { say: string }
  /** Columns of an item, for a list. */
  columns?: (item: ControlItem<K>) => readonly string[]
  /** Message for an empty list, and a command that changes that. */
  none?: { text: string; next?: readonly string[] }
}
