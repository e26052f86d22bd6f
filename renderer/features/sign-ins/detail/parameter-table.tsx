import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Badge } from '../../../ui/badge.tsx'
import { SecretValue } from './secret-value.tsx'

type Parameter = FlowStepDetail['parameters'][number]

const places: Record<Parameter['place'], string> = {
  query: 'query',
  form: 'form',
  json: 'JSON',
  header: 'header',
  redirect: 'redirect',
}

/** Parameters that were sent, with the purpose of each. */
export function ParameterTable({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <table className="w-full table-fixed border-collapse text-sm">
      <thead className="sr-only">
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">Value and purpose</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map((parameter, index) => (
          // A repeated parameter is listed twice.
          // oxlint-disable-next-line react/no-array-index-key
          <tr
            key={`${index} ${parameter.name}`}
            className="border-line/60 align-top not-last:border-b"
          >
            <th scope="row" className="w-2/5 py-1.5 pr-3 text-left font-normal">
              <span className="font-mono text-xs font-semibold break-all">{parameter.name}</span>
              <span className="block text-2xs text-faint">{places[parameter.place]}</span>
            </th>
            <td className="py-1.5">
              <SecretValue {...parameter} />
              {parameter.ignored && (
                <span className="ml-1 align-top">
                  <Badge tone="warn">ignored</Badge>
                </span>
              )}
              {(parameter.purpose ?? parameter.source) && (
                <p className="text-xs text-muted">
                  {parameter.purpose}
                  {parameter.source && <span className="text-faint"> {parameter.source}</span>}
                </p>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
