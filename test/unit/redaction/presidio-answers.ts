/**
 * Answers of Presidio's analyzer as its own end-to-end tests record them (`e2e-tests/tests/test_analyzer.py` of
 * github.com/microsoft/presidio at 06e40bb6, MIT): older versions tell the recognizer of each finding, newer ones do not.
 */
export const RECORDED = [
  {
    text: 'John Smith drivers license is AC432223',
    status: 200,
    answer: [
      {
        entity_type: 'PERSON',
        start: 0,
        end: 10,
        recognized_metadata: { recognizer_name: 'SpacyRecognizer' },
        score: 0.85,
        analysis_explanation: null,
      },
      {
        entity_type: 'US_DRIVER_LICENSE',
        start: 30,
        end: 38,
        recognized_metadata: { recognizer_name: 'UsLicenseRecognizer' },
        score: 0.6499999999999999,
        analysis_explanation: null,
      },
    ],
    redacted: '[PERSON] drivers license is [US_DRIVER_LICENSE]',
  },
  {
    text: 'John Smith drivers license is AC432223. Zip code: 10023',
    status: 200,
    answer: [
      { analysis_explanation: null, end: 10, entity_type: 'PERSON', score: 0.85, start: 0 },
      {
        analysis_explanation: null,
        end: 38,
        entity_type: 'US_DRIVER_LICENSE',
        score: 0.6499999999999999,
        start: 30,
      },
      { analysis_explanation: null, end: 55, entity_type: 'ZIP', score: 0.01, start: 50 },
    ],
    redacted: '[PERSON] drivers license is [US_DRIVER_LICENSE]. Zip code: [ZIP]',
  },
  {
    text: 'John Smith D.L. is AC432223',
    status: 200,
    answer: [
      {
        analysis_explanation: {
          original_score: 0.85,
          pattern: null,
          pattern_name: null,
          recognizer: 'SpacyRecognizer',
          score: 0.85,
          score_context_improvement: 0,
          supportive_context_word: '',
          textual_explanation: "Identified as PERSON by Spacy's Named Entity Recognition",
          validation_result: null,
        },
        end: 15,
        entity_type: 'PERSON',
        recognized_metadata: { recognizer_name: 'SpacyRecognizer' },
        score: 0.85,
        start: 0,
      },
    ],
    redacted: '[PERSON] is AC432223',
  },
  { text: 'nothing', status: 500, answer: { error: 'No text provided' }, redacted: null },
  {
    text: 'John Smith',
    status: 500,
    answer: { error: 'No matching recognizers were found to serve the request.' },
    redacted: null,
  },
] as const
