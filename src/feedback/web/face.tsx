/** What other slices' screens may use of feedback forms. */
export { AnswerInput } from './AnswerInput.tsx'
