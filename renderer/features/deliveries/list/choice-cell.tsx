import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { isSendable, type Choice } from '../model/use-choice.ts'

/** Checkbox cell of a row. Shift selects everything from the last selected row to it. */
export function ChoiceCell({ row, choice }: { row: DeliveryRow; choice: Choice }) {
  return (
    // Rows are placed one by one, which table elements do not allow.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span role="gridcell" className="absolute inset-y-0 left-0 flex w-10 justify-center">
      <input
        type="checkbox"
        aria-label={`Select ${row.scope} ${row.action} of ${row.repo}`}
        checked={choice.chosen.has(row.id)}
        disabled={!isSendable(row)}
        onChange={() => undefined}
        onClick={(event) => {
          // A click on the row itself would open it.
          event.stopPropagation()
          choice.toggle(row.id, event.shiftKey)
        }}
        className="m-auto size-4 accent-accent"
      />
    </span>
  )
}
