/** The name of the tool by which models search documents. Other tools may have it. */
export const SEARCH_DOCUMENTS = 'search_documents'

/** The name of the built-in tool that asks for a person. */
export const REQUEST_PERSON = 'request_person'
