/** Where `npm run coverage` gathers what ran of which file; absent = nothing is measured. */
export const coverageFolder = process.env['COVERAGE_FOLDER']
