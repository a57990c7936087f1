// Pages with forms for the contract's operations, loaded separately: the fields and texts of these forms are larger than
// all other pages together.

export { OperationPage } from "./operations/operation-page.tsx";
export { OperationsPage } from "./operations/operations-page.tsx";
export { SimulatorPage } from "./simulator/simulator-page.tsx";
